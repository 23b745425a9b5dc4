import { type FormEvent, useState } from 'react';
import { Field } from '~/ui/field';
import { formatPrice } from '~/ui/price';
import { FormEnd } from './form-end';
import styles from './order.module.css';
import { type AdminOrderDetailFragment, useCancelOrderAsShopMutation } from './order.generated';
import { done } from './outcome';
import { texts } from './texts';

/** Cancels the whole order; the buyer reads the reason. */
export function CancelForm({ order, onClose }: { order: AdminOrderDetailFragment; onClose: () => void }) {
  const [cancelOrder, { loading }] = useCancelOrderAsShopMutation({ refetchQueries: ['AdminCounts'] });
  const [reason, setReason] = useState('');
  const [refusal, setRefusal] = useState<string>();

  async function submit(event: FormEvent) {
    event.preventDefault();
    const words = { done: texts.canceled, otherwise: texts.cancelFailed };
    const sent = cancelOrder({ variables: { orderId: order.id, reason } });
    const why = await done(sent, (data) => data.cancelOrderAsShop, words);
    setRefusal(why);
    if (!why) onClose();
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <p>
        Nothing of {order.number} will be sent. Its pieces go back on the shelf,{' '}
        {formatPrice(order.refundable.amount)} to the card. {texts.lost}
      </p>
      <Field
        label="Reason, for the buyer"
        value={reason}
        maxLength={500}
        onChange={({ target }) => setReason(target.value)}
      />
      <FormEnd refusal={refusal} submit="Cancel order" danger working={loading && 'Canceling ...'} onClose={onClose} />
    </form>
  );
}
