import { useRef } from 'react';
import type { PaymentStatus } from '~/graphql/schema.generated';
import { formatDayIn } from '~/ui/format';
import { BagIcon } from '~/ui/icons';
import { Picture } from '~/ui/picture';
import { formatPrice } from '~/ui/price';
import { Status, type StatusMark } from '~/ui/status';
import { AddressLines } from '~/ui/address-lines';
import { Sums } from '~/ui/sums';
import type { OrderCardFragment } from './order.generated';
import { OrderActions } from './order-actions';
import styles from './order-card.module.css';
import { OrderTimeline } from './order-timeline';
import { Parcels } from './parcels';
import { ReturnAnswers } from './return-answers';
import { piecesAskedBack } from './returnable';
import { texts } from './texts';

const statuses: Record<PaymentStatus, { mark: StatusMark; words: string }> = {
  PAID: { mark: 'full', words: 'Paid' },
  PROCESSING: { mark: 'half', words: 'Processing' },
  FAILED: { mark: 'cross', words: 'Failed' },
  REFUNDED: { mark: 'empty', words: 'Refunded' },
  PARTIALLY_REFUNDED: { mark: 'broken', words: 'Partially refunded' },
};

function OrderLine({ line, askedBack }: { line: OrderCardFragment['lines'][number]; askedBack: number }) {
  const choice = [line.color, line.size].filter(Boolean).join(', ');
  return (
    <li className={styles.line}>
      {line.image ? (
        <Picture image={line.image} sizes="84px" decorative />
      ) : (
        <span className={styles.thumbnail} data-testid="placeholder">
          <BagIcon />
        </span>
      )}
      <div>
        <p className={line.name ? styles.name : 'soft'}>{line.name ?? texts.noProductName}</p>
        <p className="small soft">
          {choice && `${choice}. `}Quantity {line.quantity}
          {line.quantity > 1 && <> × {formatPrice(line.price)}</>}
        </p>
        {askedBack > 0 && <p className="small">Return asked for: {askedBack}</p>}
      </div>
      <p>{formatPrice(line.total)}</p>
    </li>
  );
}

/** Whether nothing more is to be sent, to come back or to be paid. */
function hasEnded({ fulfilment, isCanceled, paymentStatus, returns }: OrderCardFragment): boolean {
  const waits = returns.some(({ status }) => ['REQUESTED', 'ACCEPTED', 'RECEIVED'].includes(status));
  return (
    !waits && (isCanceled || fulfilment === 'DELIVERED' || paymentStatus === 'FAILED' || paymentStatus === 'REFUNDED')
  );
}

interface OrderCardProps {
  order: OrderCardFragment;
  /** The shop's, by its IANA name: days and times are those of its mails and invoices. */
  timeZone: string;
}

/** One purchase, as it was sold. */
export function OrderCard({ order, timeZone }: OrderCardProps) {
  const { mark, words } = statuses[order.paymentStatus];
  const card = useRef<HTMLElement>(null);
  const refunded = order.paymentStatus === 'REFUNDED' || order.paymentStatus === 'PARTIALLY_REFUNDED';
  return (
    <article ref={card} className={styles.order} aria-label={`Order ${order.number}`} tabIndex={-1}>
      <dl className={styles.head}>
        <div>
          <dt>Order</dt>
          <dd className={styles.name}>{order.number}</dd>
        </div>
        <div>
          <dt>Date</dt>
          <dd>
            <time dateTime={order.createdAt}>{formatDayIn(timeZone, order.createdAt)}</time>
          </dd>
        </div>
        <div>
          <dt>Total</dt>
          <dd>{formatPrice(order.totalAmount)}</dd>
        </div>
        {refunded && (
          <div>
            <dt>Refunded</dt>
            <dd>{formatPrice(order.refundedAmount)}</dd>
          </div>
        )}
        <div className={styles.payment}>
          <dt>Payment</dt>
          <dd>
            <Status mark={mark}>{words}</Status>
          </dd>
        </div>
      </dl>
      <OrderTimeline events={order.timeline} timeZone={timeZone} ended={hasEnded(order)} />
      <Parcels shipments={order.shipments} />
      <ReturnAnswers returns={order.returns} />
      <div className={styles.bought}>
        <ul>
          {order.lines.map((line) => (
            <OrderLine key={line.id} line={line} askedBack={piecesAskedBack(order, line.id)} />
          ))}
        </ul>
        <Sums of={{ ...order, total: order.totalAmount }} />
      </div>
      <div className={styles.address}>
        <h3 className={styles.label}>Shipping address</h3>
        <AddressLines address={order.shippingAddress} />
        <OrderActions order={order} timeZone={timeZone} onGone={() => card.current?.focus()} />
      </div>
    </article>
  );
}
