import { useState } from 'react';
import { HistoryLink } from '~/features/admin/history-link';
import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog';
import { Link } from '~/ui/link';
import { Status } from '~/ui/status';
import { Moment } from '~/ui/time-zone';
import { CancelForm } from './cancel-form';
import styles from './order.module.css';
import type { AdminOrderDetailFragment } from './order.generated';
import { ShipForm } from './parcel-form';
import { RefundForm } from './refund-form';
import { fulfilments, payments } from './statuses';

interface OrderHeadProps {
  order: AdminOrderDetailFragment;
  carriers: readonly string[];
}

type Deed = 'send' | 'refund' | 'cancel';

const titles: Record<Deed, string> = { send: 'Send', refund: 'Refund', cancel: 'Cancel the order' };

/** The order's number and standing, and what can be done about it. */
export function OrderHead({ order, carriers }: OrderHeadProps) {
  const [deed, setDeed] = useState<Deed | null>(null);
  const payment = payments[order.paymentStatus];
  const fulfilment = fulfilments[order.fulfilment];
  const isPaid = order.paymentStatus === 'PAID' || order.paymentStatus === 'PARTIALLY_REFUNDED';
  const canSend = isPaid && !order.isCanceled && order.lines.some(({ toShip }) => toShip > 0);
  const canRefund = Number(order.refundable.amount) > 0 || order.refundable.lines.length > 0;
  const close = () => setDeed(null);
  return (
    <div className={styles.head}>
      <p className="small">
        <Link to="/admin/orders" className="link">
          Orders
        </Link>{' '}
        / {order.number}
      </p>
      <div className={styles.title}>
        <h2>{order.number}</h2>
        <Status mark={payment.mark}>{payment.words}</Status>
        <Status mark={fulfilment.mark}>{fulfilment.words}</Status>
        <Moment at={order.createdAt} className="small soft" />
      </div>
      <div className={styles.deeds}>
        {canSend && (
          <Button small kind="primary" onClick={() => setDeed('send')}>
            Send
          </Button>
        )}
        {canRefund && (
          <Button small onClick={() => setDeed('refund')}>
            Refund
          </Button>
        )}
        {!order.isCanceled && order.cancelRefusal === null && (
          <Button small onClick={() => setDeed('cancel')}>
            Cancel order
          </Button>
        )}
        <a className="link small" href={order.packingSlipUrl}>
          Packing slip (PDF)
        </a>
        <a className="link small" href={order.addressLabelUrl}>
          Address label (PDF)
        </a>
        {order.invoiceUrl && (
          <a className="link small" href={order.invoiceUrl}>
            Invoice (PDF)
          </a>
        )}
        <HistoryLink kind="order" id={order.id} />
      </div>
      <Dialog open={deed !== null} title={deed ? `${titles[deed]}: ${order.number}` : ''} onClose={close}>
        {deed === 'send' && <ShipForm order={order} carriers={carriers} onClose={close} />}
        {deed === 'refund' && <RefundForm order={order} onClose={close} />}
        {deed === 'cancel' && <CancelForm order={order} onClose={close} />}
      </Dialog>
    </div>
  );
}
