import { useState } from 'react';
import * as v from 'valibot';
import { useSentForm } from '~/graphql/use-sent-form';
import { Field } from '~/ui/field';
import { formatPrice } from '~/ui/price';
import styles from './order.module.css';
import { type AdminOrderDetailFragment, useCancelOrderAsShopMutation } from './order.generated';
import { OrderFormEnd } from './order-form-end';
import { texts } from './texts';

const rules = v.object({ reason: v.string() });

/** Cancels the whole order; the buyer reads the reason. */
export function CancelForm({ order, onClose }: { order: AdminOrderDetailFragment; onClose: () => void }) {
  const [version] = useState(order.version);
  const [cancelOrder] = useCancelOrderAsShopMutation({ refetchQueries: ['AdminCounts'] });
  const { changes, field, isSending, onSubmit, refusal } = useSentForm({
    rules,
    defaultValues: { reason: '' },
    send: ({ reason }) => cancelOrder({ variables: { id: order.id, version, reason } }),
    done: 'OrderChanged',
    onDone: onClose,
    success: texts.canceled,
    otherwise: texts.cancelFailed,
  });

  const dispute = order.disputes.find(({ blocksRefunds }) => blocksRefunds);
  const amount = formatPrice(order.refundable.amount);
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <p>
        Nothing of {order.number} will be sent. Its pieces go back on the shelf{!dispute && `, ${amount} to the card`}.{' '}
        {texts.lost}
      </p>
      {dispute && (
        <p>
          {dispute.isOpen
            ? `The bank decides about the ${amount}. If they stay with the shop, they go to the card then, by themselves.`
            : `The bank has taken the ${amount} back for the buyer; nothing goes to the card from here.`}
        </p>
      )}
      <Field label="Reason, for the buyer" {...field('reason')} maxLength={500} />
      <OrderFormEnd
        refusal={refusal}
        changes={changes}
        submit="Cancel order"
        danger
        working={isSending && 'Canceling ...'}
        cancel={texts.notNow}
        onCancel={onClose}
      />
    </form>
  );
}
