import type { OrderEventKind } from '~/graphql/schema.generated';
import { formatRecentMoment } from '~/ui/format';
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
  RETURN_REQUESTED: { mark: 'broken', words: 'Return asked for' },
  RETURN_ACCEPTED: { mark: 'broken', words: 'Return accepted' },
  RETURN_REFUSED: { mark: 'cross', words: 'Return refused' },
  RETURN_RECEIVED: { mark: 'full', words: 'Return received' },
};

type OrderEvent = OrderCardFragment['timeline'][number];

/** What was under way is done once all is. */
function markOf({ kind }: OrderEvent, ended: boolean): StatusMark {
  const { mark } = kinds[kind];
  return ended && mark === 'half' ? 'full' : mark;
}

function words({ kind, amount }: OrderEvent): string {
  return kind === 'REFUNDED' && amount ? `${kinds[kind].words} ${formatPrice(amount)}` : kinds[kind].words;
}

interface OrderTimelineProps {
  events: readonly OrderEvent[];
  /** Nothing more is expected: the line of progress runs to its end. */
  ended: boolean;
}

/** What happened to an order, oldest first. */
export function OrderTimeline({ events, ended }: OrderTimelineProps) {
  return (
    <ol className={[styles.timeline, ended && styles.ended].filter(Boolean).join(' ')} aria-label="What happened">
      {events.map((event) => (
        <li key={`${event.kind} ${event.at}`}>
          <Status mark={markOf(event, ended)}>{words(event)}</Status>
          <time dateTime={event.at}>{formatRecentMoment(event.at)}</time>
        </li>
      ))}
    </ol>
  );
}
