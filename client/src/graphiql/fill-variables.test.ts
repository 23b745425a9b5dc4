import { Kind, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { Example } from './examples';
import { fillVariables, valuesIn } from './fill-variables';

const order = (orderId: string, canReturn: boolean, ...lines: [string, number][]) => ({
  orderId,
  canReturn,
  lines: lines.map(([lineId, shipped]) => ({ lineId, shipped })),
});
const names = ['orderId', 'lineId'];
const answer = (...nodes: unknown[]) => ({ viewer: { orders: { nodes } } });

describe('values from an answer', () => {
  it('come from one item of a list, the first that has all', () => {
    const data = answer(
      order('o1', false, ['l1', 1]),
      order('o2', true, ['l2', 0]),
      order('o3', true, ['l3', 0], ['l4', 2]),
      order('o4', true, ['l5', 1]),
    );

    expect(valuesIn(data, names)).toEqual({ orderId: 'o3', lineId: 'l4' });
  });

  it('are none for a visitor', () => {
    expect(valuesIn({ viewer: null }, names, true)).toEqual({});
    expect(valuesIn(undefined, names)).toEqual({});
  });
});

function example(text: string, variables: Record<string, unknown> = {}, lookup: string | null = '{ a }'): Example {
  const document = parse(text);
  const [operation] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('It is an operation.');
  return { subject: '', title: '', account: 'none', name: '', query: text, document, operation, variables, lookup };
}

describe('the variables of an example', () => {
  const returning = 'mutation ($orderId: ID!, $lineId: ID!, $reason: String! = "", $after: String) { a }';

  it('keep their own values and get the others', () => {
    const data = answer(order('o1', true, ['l1', 1]));

    const { text, missing } = fillVariables(example(returning, { reason: 'Too wide' }), data, {});

    expect(JSON.parse(text)).toEqual({ reason: 'Too wide', orderId: 'o1', lineId: 'l1' });
    expect(missing).toEqual([]);
  });

  it('name an item that is passed over when there is no other', () => {
    const data = answer(order('o1', false, ['l1', 1]), order('o2', false, ['l2', 1]));

    expect(JSON.parse(fillVariables(example(returning), data, {}).text)).toEqual({ orderId: 'o1', lineId: 'l1' });
  });

  it('say which of them have no value', () => {
    const { text, missing } = fillVariables(example(returning), { viewer: null }, { orderId: 'of another answer' });

    expect(JSON.parse(text)).toEqual({ orderId: '', lineId: '' });
    expect(missing).toEqual(['orderId', 'lineId']);
  });

  it('are known from before where nothing is looked up', () => {
    const { text, missing } = fillVariables(example('mutation ($sessionId: ID!) { a }', {}, null), null, {
      sessionId: 'cs_1',
      email: 'a@shop.test',
    });

    expect(JSON.parse(text)).toEqual({ sessionId: 'cs_1' });
    expect(missing).toEqual([]);
  });

  it('are no text where there are none', () => {
    expect(fillVariables(example('{ a }', {}, null), null, {}).text).toBe('');
  });
});
