import { expect, it } from 'vitest';
import type { OrderEventKind } from '~/graphql/schema.generated';
import { markOf } from './order-marks';

const KINDS: readonly OrderEventKind[] = [
  'PAID',
  'PAYMENT_FAILED',
  'CANCELED',
  'SHIPPED',
  'DELIVERED',
  'REFUNDED',
  'RETURN_REQUESTED',
  'RETURN_ACCEPTED',
  'RETURN_REFUSED',
  'RETURN_RECEIVED',
];

const marks = (kinds: readonly OrderEventKind[]) => {
  const events = kinds.map((kind) => ({ kind }));
  return events.map((_, place) => markOf(events, place));
};

it.each<[string, OrderEventKind[], string[]]>([
  ['one whose money is on its way', ['PLACED'], ['half']],
  ['a paid one', ['PLACED', 'PAID'], ['full', 'full']],
  ['a parcel on its way', ['PLACED', 'PAID', 'SHIPPED'], ['full', 'full', 'half']],
  ['a parcel that arrived', ['PLACED', 'PAID', 'SHIPPED', 'DELIVERED'], ['full', 'full', 'full', 'full']],
  [
    'a return asked for',
    ['PLACED', 'PAID', 'SHIPPED', 'DELIVERED', 'RETURN_REQUESTED'],
    ['full', 'full', 'full', 'full', 'half'],
  ],
  ['two parcels of which one arrived', ['SHIPPED', 'SHIPPED', 'DELIVERED'], ['full', 'half', 'full']],
])('marks what is done and what is under way of %s', (_, kinds, expected) => {
  expect(marks(kinds)).toEqual(expected);
});

/** All histories of so many events after the first. */
function histories(length: number): OrderEventKind[][] {
  if (length === 0) return [['PLACED']];
  return histories(length - 1).flatMap((history) => KINDS.map((kind) => [...history, kind]));
}

it('never makes a whole mark half again, whatever happens next', () => {
  for (const history of histories(4)) {
    const before = marks(history.slice(0, -1));
    const undone = before.filter((mark, place) => mark === 'full' && marks(history)[place] !== 'full');
    expect(undone, history.join(', ')).toEqual([]);
  }
});
