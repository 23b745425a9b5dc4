import type { OrderEventKind } from '~/graphql/schema.generated';
import { formatRecentMomentIn } from '~/ui/format';
import { formatPrice } from '~/ui/price';
import { Status, type StatusMark } from '~/ui/status';
import type { OrderCardFragment } from './order.generated';
import styles from './order-timeline.module.css';

const kinds: Record<OrderEventKind, { mark: StatusMark; words: string }> = {
  PLACED: { mark: 'half', words: 'Placed' },
  PAID: { mark: 'full', words: 'Paid' },
  PAYMENT_FAILED: { mark: 'cross', words: 'Payment failed' },
  CANCELED: { mark: 'cross', words: 'Canceled' },
  SHIPPED: { mark: 'half', words: 'On its way' },
  DELIVERED: { mark: 'full', words: 'Delivered' },
  REFUNDED: { mark: 'empty', words: 'Refunded' },
  RETURN_REQUESTED: { mark: 'half', words: 'Return asked for' },
  RETURN_ACCEPTED: { mark: 'half', words: 'Return accepted' },
  RETURN_REFUSED: { mark: 'cross', words: 'Return refused' },
  RETURN_RECEIVED: { mark: 'full', words: 'Return received' },
};

type OrderEvent = OrderCardFragment['timeline'][number];

const followers = Object.keys(kinds).filter((kind) => kind !== 'PLACED') as OrderEventKind[];

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
export function markOf(events: readonly Pick<OrderEvent, 'kind'>[], place: number): StatusMark {
  const kind = events[place]?.kind ?? 'PLACED';
  const steps = events.slice(0, place + 1).filter((event) => event.kind === kind).length;
  const ended = events.filter((event) => ends[kind]?.includes(event.kind)).length;
  return ended >= steps ? 'full' : kinds[kind].mark;
}

function words({ kind, amount }: OrderEvent): string {
  return kind === 'REFUNDED' && amount ? `${kinds[kind].words} ${formatPrice(amount)}` : kinds[kind].words;
}

interface OrderTimelineProps {
  events: readonly OrderEvent[];
  /** The shop's, by its IANA name. */
  timeZone: string;
  /** Nothing more is expected: the line of progress runs to its end. */
  ended: boolean;
}

/** What happened to an order, oldest first. */
export function OrderTimeline({ events, timeZone, ended }: OrderTimelineProps) {
  return (
    <ol className={[styles.timeline, ended && styles.ended].filter(Boolean).join(' ')} aria-label="What happened">
      {events.map((event, place) => (
        <li key={`${event.kind} ${event.at}`}>
          <Status mark={markOf(events, place)}>{words(event)}</Status>
          <time dateTime={event.at}>{formatRecentMomentIn(timeZone, event.at)}</time>
        </li>
      ))}
    </ol>
  );
}
