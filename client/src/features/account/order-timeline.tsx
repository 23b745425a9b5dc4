import type { OrderEventKind } from '~/graphql/schema.generated';
import { formatRecentMomentIn } from '~/ui/format';
import { markOf } from '~/graphql/order-marks';
import { formatPrice } from '~/ui/price';
import { Status } from '~/ui/status';
import type { OrderCardFragment } from './order.generated';
import styles from './order-timeline.module.css';

const names: Record<OrderEventKind, string> = {
  PLACED: 'Placed',
  PAID: 'Paid',
  PAYMENT_FAILED: 'Payment failed',
  CANCELED: 'Canceled',
  SHIPPED: 'On its way',
  DELIVERED: 'Delivered',
  REFUNDED: 'Refunded',
  RETURN_REQUESTED: 'Return asked for',
  RETURN_ACCEPTED: 'Return accepted',
  RETURN_REFUSED: 'Return refused',
  RETURN_RECEIVED: 'Return received',
};

type OrderEvent = OrderCardFragment['timeline'][number];

function words({ kind, amount }: OrderEvent): string {
  return kind === 'REFUNDED' && amount ? `${names[kind]} ${formatPrice(amount)}` : names[kind];
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
