import type { OrderEventKind } from '~/graphql/schema.generated';
import { formatPrice } from '~/ui/price';
import { Status, type StatusMark } from '~/ui/status';
import { Moment } from '~/ui/time-zone';
import styles from './order.module.css';
import type { AdminOrderDetailFragment } from './order.generated';

const kinds: Record<OrderEventKind, { mark: StatusMark; words: string }> = {
  PLACED: { mark: 'half', words: 'Placed' },
  PAID: { mark: 'full', words: 'Paid' },
  PAYMENT_FAILED: { mark: 'cross', words: 'Payment failed' },
  CANCELED: { mark: 'cross', words: 'Canceled' },
  SHIPPED: { mark: 'half', words: 'Parcel sent' },
  DELIVERED: { mark: 'full', words: 'Parcel delivered' },
  REFUNDED: { mark: 'empty', words: 'Refunded' },
  RETURN_REQUESTED: { mark: 'broken', words: 'Return asked for' },
  RETURN_ACCEPTED: { mark: 'broken', words: 'Return accepted' },
  RETURN_REFUSED: { mark: 'cross', words: 'Return refused' },
  RETURN_RECEIVED: { mark: 'full', words: 'Return received' },
};

/** What happened to an order, oldest first, as its buyer sees it. */
export function OrderStory({ events }: { events: AdminOrderDetailFragment['timeline'] }) {
  return (
    <ol className={styles.story} aria-label="What happened">
      {events.map(({ kind, at, amount }) => (
        <li key={`${kind} ${at}`}>
          <Status mark={kinds[kind].mark}>
            {amount ? `${kinds[kind].words} ${formatPrice(amount)}` : kinds[kind].words}
          </Status>
          <Moment at={at} className="small soft" />
        </li>
      ))}
    </ol>
  );
}
