import { readFileSync } from 'node:fs';
import { buildSchema, Kind, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { examples } from './examples';

const named = examples.map((example) => ({ ...example, name: /(?:query|mutation) (\w+)/.exec(example.query)?.[1] }));
const schema = buildSchema(readFileSync('../schema.graphql', 'utf8'));

describe('the examples that GraphiQL opens', () => {
  it('begin with a category and lead to the back office', () => {
    const names = named.map(({ name }) => name);

    expect(names[0]).toBe('BrowseACategory');
    expect(names.at(-1)).toBe('ReportAsFile');
    expect(new Set(names).size).toBe(examples.length);
  });

  it.each(named)('fit the schema and give every variable that is needed: $name', ({ query, variables }) => {
    const document = parse(query);
    const [operation] = document.definitions;
    if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('An example is one operation.');

    const declared = (operation.variableDefinitions ?? [])
      .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && !defaultValue)
      .map(({ variable }) => variable.name.value);
    const sentNames = Object.keys(JSON.parse(variables ?? '{}') as object);

    expect(validate(schema, document)).toEqual([]);
    expect(sentNames).toEqual(expect.arrayContaining(declared));
  });

  it.each(named)('begin with words that teach: $name', ({ query }) => {
    expect(query.startsWith('# ')).toBe(true);
  });
});
