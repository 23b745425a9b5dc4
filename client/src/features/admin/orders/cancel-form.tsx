import * as v from 'valibot';
import { useSentForm } from '~/graphql/use-sent-form';
import { Field } from '~/ui/field';
import { FormEnd } from '~/ui/form-end';
import { formatPrice } from '~/ui/price';
import styles from './order.module.css';
import { type AdminOrderDetailFragment, useCancelOrderAsShopMutation } from './order.generated';
import { texts } from './texts';

const rules = v.object({ reason: v.string() });

/** Cancels the whole order; the buyer reads the reason. */
export function CancelForm({ order, onClose }: { order: AdminOrderDetailFragment; onClose: () => void }) {
  const [cancelOrder] = useCancelOrderAsShopMutation({ refetchQueries: ['AdminCounts'] });
  const { field, isSending, onSubmit, refusal } = useSentForm({
    rules,
    defaultValues: { reason: '' },
    send: ({ reason }) => cancelOrder({ variables: { orderId: order.id, reason } }),
    done: 'OrderChanged',
    onDone: onClose,
    success: texts.canceled,
    otherwise: texts.cancelFailed,
  });

  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <p>
        Nothing of {order.number} will be sent. Its pieces go back on the shelf, {formatPrice(order.refundable.amount)}{' '}
        to the card. {texts.lost}
      </p>
      <Field label="Reason, for the buyer" {...field('reason')} maxLength={500} />
      <FormEnd
        refusal={refusal}
        submit="Cancel order"
        danger
        working={isSending && 'Canceling ...'}
        cancel={texts.notNow}
        onCancel={onClose}
      />
    </form>
  );
}
