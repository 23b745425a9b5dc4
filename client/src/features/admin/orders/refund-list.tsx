import { useState } from 'react';
import { Button } from '~/ui/button';
import { formatPrice } from '~/ui/price';
import { Status } from '~/ui/status';
import { Moment } from '~/ui/time-zone';
import { ChangedMeanwhile } from './changed-meanwhile';
import { CloseRefundDialog } from './close-refund';
import styles from './order.module.css';
import type { AdminOrderDetailFragment, OrderRefundPartsFragment } from './order.generated';
import { called } from './pieces';
import { refunds } from './statuses';
import { useRetry } from './use-retry';

function Care({ id, version }: { id: string; version: string }) {
  const retry = useRetry(id, version);
  const [closing, setClosing] = useState(false);
  return (
    <>
      <p className="small">The money is still with the shop.</p>
      {retry.refusal && <ChangedMeanwhile refusal={retry.refusal} onLook={retry.clearRefusal} />}
      <div className={styles.itemActions}>
        {!retry.refusal?.changes.length && (
          <Button small working={retry.loading && 'Asking ...'} onClick={() => void retry.again()}>
            Try again
          </Button>
        )}
        <Button small onClick={() => setClosing(true)}>
          Close
        </Button>
      </div>
      <CloseRefundDialog id={id} version={version} open={closing} onClose={() => setClosing(false)} />
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
        <span className="small soft">
          <Moment at={refund.createdAt} />
          {by}
        </span>
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
      {refund.needsCare && <Care id={refund.id} version={order.version} />}
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
