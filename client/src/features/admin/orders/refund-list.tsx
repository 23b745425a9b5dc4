import { useState } from 'react';
import { Button } from '~/ui/button';
import { formatMoment } from '~/ui/format';
import { formatPrice } from '~/ui/price';
import { Status } from '~/ui/status';
import { CloseRefundDialog } from './close-refund';
import styles from './order.module.css';
import type { AdminOrderDetailFragment, OrderRefundPartsFragment } from './order.generated';
import { called } from './pieces';
import { refunds } from './statuses';
import { useRetry } from './use-retry';

function Care({ id }: { id: string }) {
  const retry = useRetry(id);
  const [closing, setClosing] = useState(false);
  return (
    <>
      <p className="small">The money is still with the shop.</p>
      <div className={styles.itemActions}>
        <Button small working={retry.loading && 'Asking ...'} onClick={() => void retry.again()}>
          Try again
        </Button>
        <Button small onClick={() => setClosing(true)}>
          Close
        </Button>
      </div>
      <CloseRefundDialog id={id} open={closing} onClose={() => setClosing(false)} />
    </>
  );
}

function RefundItem({ refund, order }: { refund: OrderRefundPartsFragment; order: AdminOrderDetailFragment }) {
  const { mark, words } = refunds[refund.status];
  const by = refund.askedBy ? `, by ${refund.askedBy}` : '';
  return (
    <li className={styles.item}>
      <div className={styles.itemHead}>
        <Status mark={mark}>{`${formatPrice(refund.amount)}, ${words.toLowerCase()}`}</Status>
        <time className="small soft" dateTime={refund.createdAt}>
          {formatMoment(refund.createdAt)}
          {by}
        </time>
      </div>
      <ul className={styles.plain}>
        {refund.pieces.map(({ lineId, quantity }) => {
          const line = order.lines.find(({ id }) => id === lineId);
          return (
            <li key={lineId}>
              {quantity} × {line ? called(line) : 'a piece'}
            </li>
          );
        })}
        {Number(refund.shipping) > 0 && <li>Delivery, {formatPrice(refund.shipping)}</li>}
      </ul>
      <p className="small soft">{refund.reason}</p>
      {refund.needsCare && <Care id={refund.id} />}
    </li>
  );
}

/** Money that went back, or should. */
export function RefundList({ order }: { order: AdminOrderDetailFragment }) {
  return (
    <ul className={styles.list}>
      {order.refunds.map((refund) => (
        <RefundItem key={refund.id} refund={refund} order={order} />
      ))}
    </ul>
  );
}
