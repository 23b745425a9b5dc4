import { readFileSync } from 'node:fs';
import { buildSchema, OperationTypeNode, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { examples, subjects } from './examples';
import { fillVariables } from './fill-variables';

const schema = buildSchema(readFileSync('../schema.graphql', 'utf8'));

describe('the examples', () => {
  it('stand by subject, from the catalogue to reports', () => {
    expect(subjects.map(([subject]) => subject)).toEqual([
      'catalogue',
      'account',
      'cart and wishlist',
      'orders',
      'admin products',
      'admin orders',
      'admin accounts',
      'admin reports',
    ]);
    expect(new Set(examples.map(({ name }) => name)).size).toBe(examples.length);
    expect(new Set(examples.map(({ title }) => title)).size).toBe(examples.length);
  });

  it.each(examples)(
    'fit the schema, and say whom they are for: $name',
    ({ account, document, lookup, query, subject }) => {
      expect(validate(schema, document)).toEqual([]);
      expect(query).toMatch(/^# \S.+\n#\n# [\s\S]+\n# Account: (none|shopper|admin)\n(query|mutation) /);
      expect(account === 'admin').toBe(subject.startsWith('admin'));
      if (lookup === null) return;
      const { definitions } = parse(lookup);
      expect(validate(schema, parse(lookup))).toEqual([]);
      expect(definitions).toMatchObject([{ operation: OperationTypeNode.QUERY }]);
    },
  );

  it('have nothing to paste: what has no fixed value is looked up, or known from before', () => {
    const waiting = examples.filter(
      (example) => example.lookup === null && fillVariables(example, null, {}).missing.length,
    );

    expect(waiting.map((example) => [example.name, fillVariables(example, null, {}).missing])).toEqual([
      ['SignIn', ['email', 'password']],
      ['ConfirmTheOrder', ['sessionId']],
    ]);
  });

  it('have no password, which every shop would hand out with them', () => {
    expect(JSON.stringify(examples)).not.toMatch(/Minimal1|minimal\.test/);
  });
});
