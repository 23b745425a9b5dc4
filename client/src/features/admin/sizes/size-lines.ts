import type { SizeValueInput } from '~/graphql/schema.generated';
import type { Parsed } from '~/ui/amount';

interface Value {
  name: string;
  labels: readonly { market: string; name: string }[];
}

/** "38 = UK 5, US 7.5", one line for each value. */
export const linesOf = (values: readonly Value[]): string =>
  values
    .map(({ name, labels }) =>
      labels.length === 0 ? name : `${name} = ${labels.map((label) => `${label.market} ${label.name}`).join(', ')}`,
    )
    .join('\n');

function labelOf(text: string) {
  const [, market, name] = /^(.*\S)\s+(\S+)$/.exec(text.trim()) ?? [];
  return market && name ? { market, name } : null;
}

function valueOf(line: string): SizeValueInput | null {
  const [name = '', others, ...rest] = line.split('=').map((part) => part.trim());
  const labels = others === undefined ? [] : others.split(',').map(labelOf);
  if (!name || rest.length > 0 || labels.includes(null)) return null;
  return { name, labels: labels.filter((label) => label !== null) };
}

const written = (text: string) => text.split('\n').filter((line) => line.trim());

/** The first line that says nothing, trimmed. */
export const wrongLine = (text: string): string | undefined =>
  written(text)
    .find((line) => valueOf(line) === null)
    ?.trim();

/** The values that the lines say; empty lines are left out. */
export function parseLines(text: string): Parsed<SizeValueInput[]> {
  const values = written(text).map(valueOf);
  return values.includes(null)
    ? { value: null, invalid: true }
    : { value: values.filter((value) => value !== null), invalid: false };
}
