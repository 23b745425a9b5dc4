import { Kind } from 'graphql';
import type { Example } from './examples';

export type Values = Readonly<Record<string, unknown>>;

export interface FilledVariables {
  /** JSON for the editor; required variables without a value are "" there. */
  text: string;
  /** Names of required variables for which there is no value. */
  missing: string[];
}

/**
 * Values of variables from an answer's fields of their names. Of a list's items, the first counts that has most of them.
 * An item with a field that is false, zero or null is passed over, unless `anyItem`.
 */
export function valuesIn(data: unknown, names: readonly string[], anyItem = false): Values {
  if (Array.isArray(data)) {
    const items = data.map((item: unknown) => valuesIn(item, names, anyItem));
    return items.reduce((best, item) => (Object.keys(item).length > Object.keys(best).length ? item : best), {});
  }
  if (typeof data !== 'object' || data === null) return {};
  const fields = Object.entries(data);
  if (!anyItem && fields.some(([, value]) => !value)) return {};
  const values = fields.map(([name, value]: [string, unknown]) => {
    if (typeof value === 'object') return valuesIn(value, names, anyItem);
    return names.includes(name) ? { [name]: value } : {};
  });
  return Object.assign({}, ...values) as Values;
}

/** The values of an example's variables: its own, those that its lookup finds, and of the rest those that are `known`. */
export function fillVariables(example: Example, answer: unknown, known: Values): FilledVariables {
  const definitions = example.operation.variableDefinitions ?? [];
  const names = definitions.map(({ variable }) => variable.name.value).filter((name) => !(name in example.variables));
  const strict = valuesIn(answer, names);
  const looked = Object.keys(strict).length > 0 ? strict : valuesIn(answer, names, true);
  const values: Record<string, unknown> = { ...example.variables };
  const missing: string[] = [];
  for (const { variable, type, defaultValue } of definitions) {
    const name = variable.name.value;
    if (name in values) continue;
    const value = looked[name] ?? (example.lookup === null ? known[name] : undefined);
    const isRequired = type.kind === Kind.NON_NULL_TYPE && !defaultValue;
    if (value !== undefined || isRequired) values[name] = value ?? '';
    if (value === undefined && isRequired) missing.push(name);
  }
  return { text: Object.keys(values).length > 0 ? JSON.stringify(values, null, 2) : '', missing };
}
