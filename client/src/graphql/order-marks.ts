import type { OrderEventKind } from '~/graphql/schema.generated';
import type { StatusMark } from '~/ui/status';

const marks: Record<OrderEventKind, StatusMark> = {
  PLACED: 'half',
  PAID: 'full',
  PAYMENT_FAILED: 'cross',
  CANCELED: 'cross',
  SHIPPED: 'half',
  DELIVERED: 'full',
  REFUNDED: 'empty',
  RETURN_REQUESTED: 'half',
  RETURN_ACCEPTED: 'half',
  RETURN_REFUSED: 'cross',
  RETURN_RECEIVED: 'full',
};

const followers = Object.keys(marks).filter((kind) => kind !== 'PLACED') as OrderEventKind[];

/** What says that a step under way has come to its end. */
const ends: Partial<Record<OrderEventKind, readonly OrderEventKind[]>> = {
  PLACED: followers,
  SHIPPED: ['DELIVERED'],
  RETURN_REQUESTED: ['RETURN_ACCEPTED', 'RETURN_REFUSED', 'CANCELED'],
  RETURN_ACCEPTED: ['RETURN_RECEIVED'],
};

/**
 * The mark of an event. The first parcel is whole with the first delivery, the second with the second: what happens
 * later makes half marks whole, and never a whole one half.
 */
export function markOf(events: readonly { kind: OrderEventKind }[], place: number): StatusMark {
  const kind = events[place]?.kind ?? 'PLACED';
  const steps = events.slice(0, place + 1).filter((event) => event.kind === kind).length;
  const ended = events.filter((event) => ends[kind]?.includes(event.kind)).length;
  return ended >= steps ? 'full' : marks[kind];
}
