import { useState } from 'react';
import { Dialog } from '~/ui/dialog';
import { formatUntilIn } from '~/ui/format';
import { CancelOrder } from './cancel-order';
import type { OrderCardFragment } from './order.generated';
import styles from './order-actions.module.css';
import { ReturnForm } from './return-form';
import { returnableLines } from './returnable';

interface OrderActionsProps {
  order: OrderCardFragment;
  /** The shop's, by its IANA name. */
  timeZone: string;
  /** What was pressed is no longer there to take the focus back. */
  onGone: () => void;
}

/** What can still be done about an order. */
export function OrderActions({ order, timeZone, onGone }: OrderActionsProps) {
  const [open, setOpen] = useState<'cancel' | 'return' | null>(null);
  const returnable = returnableLines(order);

  function close() {
    setOpen(null);
    if (document.activeElement === document.body) onGone();
  }

  return (
    <>
      <div className={styles.actions}>
        {order.canCancel && (
          <button type="button" className="link" aria-haspopup="dialog" onClick={() => setOpen('cancel')}>
            Cancel order
          </button>
        )}
        {returnable.length > 0 && (
          <button type="button" className="link" aria-haspopup="dialog" onClick={() => setOpen('return')}>
            Ask for a return
          </button>
        )}
        {order.invoiceUrl && (
          <a className="link" href={order.invoiceUrl}>
            Invoice (PDF)
          </a>
        )}
      </div>
      {order.canCancel && order.cancelableUntil && (
        <p className={styles.note}>
          Cancel until: <time dateTime={order.cancelableUntil}>{formatUntilIn(timeZone, order.cancelableUntil)}</time>
        </p>
      )}
      {order.isCanceled && (
        <p className={styles.note}>
          {order.isDisputed
            ? 'Your bank decides whether the money goes back to you.'
            : 'All of the money goes back to the card. Banks take five to ten days to show it.'}
        </p>
      )}
      <CancelOrder order={order} open={open === 'cancel'} onClose={close} />
      <Dialog open={open === 'return'} title="Ask for a return" onClose={close}>
        <ReturnForm orderId={order.id} returnable={returnable} onClose={close} />
      </Dialog>
    </>
  );
}
