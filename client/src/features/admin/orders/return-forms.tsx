import { type FormEvent, useState } from 'react';
import { parseAmount } from '~/ui/amount';
import { Checkbox } from '~/ui/choice';
import { Field, TextArea } from '~/ui/field';
import { formatPrice } from '~/ui/price';
import { FormEnd } from './form-end';
import styles from './order.module.css';
import {
  type AdminOrderDetailFragment,
  type AdminReturnPartsFragment,
  useAcceptReturnMutation,
  useReceiveReturnMutation,
  useRefundQuoteQuery,
  useRefundReturnMutation,
  useRefuseReturnMutation,
} from './order.generated';
import { done, newKey } from './outcome';
import { Pieces } from './pieces';
import { texts } from './texts';

const LONGEST = 1000;

interface ReturnFormProps {
  order: AdminOrderDetailFragment;
  returned: AdminReturnPartsFragment;
  onClose: () => void;
}

/** Submits once: shows the refusal in the form, or closes it. */
function useSubmit(onClose: () => void, send: () => Promise<string | undefined>) {
  const [refusal, setRefusal] = useState<string>();

  async function submit() {
    const why = await send();
    setRefusal(why);
    if (!why) onClose();
  }

  return {
    refusal,
    onSubmit: (event: FormEvent) => {
      event.preventDefault();
      void submit();
    },
  };
}

/** Where the pieces go, in a mail to the buyer. */
export function AcceptForm({ returned, onClose }: ReturnFormProps) {
  const [acceptReturn, { loading }] = useAcceptReturnMutation({ refetchQueries: ['AdminCounts'] });
  const [words, setWords] = useState('');
  const [labelUrl, setLabelUrl] = useState('');
  const { refusal, onSubmit } = useSubmit(onClose, () =>
    done(acceptReturn({ variables: { id: returned.id, words, labelUrl } }), (data) => data.acceptReturn, {
      done: texts.accepted,
      otherwise: texts.returnFailed,
    }),
  );
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <p>The buyer gets a mail with the shop's address to send the pieces to.</p>
      <TextArea
        label="Words to the buyer (optional)"
        value={words}
        maxLength={LONGEST}
        onChange={({ target }) => setWords(target.value)}
      />
      <Field
        label="Link to a label (optional)"
        type="url"
        value={labelUrl}
        onChange={({ target }) => setLabelUrl(target.value)}
      />
      <FormEnd refusal={refusal} submit="Accept" working={loading && 'Accepting ...'} onClose={onClose} />
    </form>
  );
}

/** Why the pieces cannot come back. */
export function RefuseForm({ returned, onClose }: ReturnFormProps) {
  const [refuseReturn, { loading }] = useRefuseReturnMutation({ refetchQueries: ['AdminCounts'] });
  const [words, setWords] = useState('');
  const { refusal, onSubmit } = useSubmit(onClose, () =>
    done(refuseReturn({ variables: { id: returned.id, words } }), (data) => data.refuseReturn, {
      done: texts.refused,
      otherwise: texts.returnFailed,
    }),
  );
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <p>The buyer gets a mail with these words. {texts.lost}</p>
      <TextArea
        label="Why, for the buyer"
        value={words}
        maxLength={LONGEST}
        onChange={({ target }) => setWords(target.value)}
      />
      <FormEnd refusal={refusal} submit="Refuse" danger working={loading && 'Refusing ...'} onClose={onClose} />
    </form>
  );
}

/** What came, and what of it can be sold again. */
export function ReceiveForm({ order, returned, onClose }: ReturnFormProps) {
  const [receiveReturn, { loading }] = useReceiveReturnMutation({ refetchQueries: ['AdminCounts'] });
  const lines = order.lines.flatMap((line) => {
    const asked = returned.pieces.find(({ lineId }) => lineId === line.id);
    return asked ? { line, most: asked.quantity } : [];
  });
  const all = Object.fromEntries(lines.map(({ line, most }) => [line.id, most]));
  const [came, setCame] = useState<Record<string, number>>(all);
  const [spoiled, setSpoiled] = useState<Record<string, boolean>>({});
  const arrived = lines.map(({ line }) => {
    const quantity = came[line.id] ?? 0;
    return { lineId: line.id, quantity, restock: spoiled[line.id] ? 0 : quantity };
  });
  const { refusal, onSubmit } = useSubmit(onClose, () =>
    done(receiveReturn({ variables: { id: returned.id, lines: arrived } }), (data) => data.receiveReturn, {
      done: texts.received,
      otherwise: texts.returnFailed,
    }),
  );
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <Pieces lines={lines} chosen={came} onChoose={setCame} verb="that came">
        {(line) => (
          <Checkbox
            checked={!spoiled[line.id]}
            onChange={() => setSpoiled({ ...spoiled, [line.id]: !spoiled[line.id] })}
          >
            Put back on the shelf
          </Checkbox>
        )}
      </Pieces>
      <p>The buyer gets a mail that the parcel is here. The money is the next step.</p>
      <FormEnd refusal={refusal} submit="Receive" working={loading && 'Receiving ...'} onClose={onClose} />
    </form>
  );
}

/** The money for what came. */
export function RefundReturnForm({ order, returned, onClose }: ReturnFormProps) {
  const [refundReturn, { loading }] = useRefundReturnMutation({ refetchQueries: ['AdminCounts'] });
  const [key] = useState(newKey);
  const [amount, setAmount] = useState('');
  const [delivery, setDelivery] = useState(false);
  const shipping = delivery ? order.refundable.shipping : '0';
  const left = new Map(order.refundable.lines.map(({ lineId, quantity }) => [lineId, quantity]));
  const lines = returned.pieces.flatMap(({ lineId, received }) => {
    const quantity = Math.min(received ?? 0, left.get(lineId) ?? 0);
    return quantity ? { lineId, quantity } : [];
  });
  const { data, loading: waits } = useRefundQuoteQuery({
    variables: { id: order.id, lines, shipping },
    fetchPolicy: 'network-only',
  });
  const own = parseAmount(amount);
  const comesTo = own.invalid ? null : (own.value ?? data?.admin?.order?.refundQuote);
  const variables = { id: returned.id, amount: own.value, shipping, reason: '', key };
  const { refusal, onSubmit } = useSubmit(onClose, () =>
    done(refundReturn({ variables }), (answer) => answer.refundReturn, {
      done: texts.refunded,
      otherwise: texts.refundFailed,
    }),
  );
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      {Number(order.refundable.shipping) > 0 && (
        <Checkbox checked={delivery} onChange={() => setDelivery(!delivery)}>
          Delivery, {formatPrice(order.refundable.shipping)}
        </Checkbox>
      )}
      <Field
        label="Another amount (optional)"
        inputMode="decimal"
        error={own.invalid ? texts.noAmount : undefined}
        value={amount}
        note="In dollars, such as 19.90, where what came was worn."
        onChange={({ target }) => setAmount(target.value)}
      />
      <p role="status" className={styles.comesTo}>
        {comesTo
          ? `${formatPrice(comesTo)} goes back to the card. ${texts.lost}`
          : waits
            ? 'Working it out ...'
            : own.invalid
              ? texts.noAmount
              : 'These pieces are paid back already.'}
      </p>
      <FormEnd refusal={refusal} submit="Refund" danger working={loading && 'Refunding ...'} onClose={onClose} />
    </form>
  );
}
