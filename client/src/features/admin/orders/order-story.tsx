import type { OrderEventKind } from '~/graphql/schema.generated';
import { markOf } from '~/graphql/order-marks';
import { formatPrice } from '~/ui/price';
import { Status } from '~/ui/status';
import { Moment } from '~/ui/time-zone';
import styles from './order.module.css';
import type { AdminOrderDetailFragment } from './order.generated';

const names: Record<OrderEventKind, string> = {
  PLACED: 'Placed',
  PAID: 'Paid',
  PAYMENT_FAILED: 'Payment failed',
  CANCELED: 'Canceled',
  SHIPPED: 'Parcel sent',
  DELIVERED: 'Parcel delivered',
  REFUNDED: 'Refunded',
  RETURN_REQUESTED: 'Return asked for',
  RETURN_ACCEPTED: 'Return accepted',
  RETURN_REFUSED: 'Return refused',
  RETURN_RECEIVED: 'Return received',
};

/** What happened to an order, oldest first, as its buyer sees it. */
export function OrderStory({ events }: { events: AdminOrderDetailFragment['timeline'] }) {
  return (
    <ol className={styles.story} aria-label="What happened">
      {events.map(({ kind, at, amount }, place) => (
        <li key={`${kind} ${at}`}>
          <Status mark={markOf(events, place)}>{amount ? `${names[kind]} ${formatPrice(amount)}` : names[kind]}</Status>
          <Moment at={at} className="small soft" />
        </li>
      ))}
    </ol>
  );
}
