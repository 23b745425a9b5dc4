import { type FormEvent, useState } from 'react';
import { parseAmount } from '~/ui/amount';
import { Button } from '~/ui/button';
import { Checkbox } from '~/ui/choice';
import { Field } from '~/ui/field';
import { formatPrice } from '~/ui/price';
import { FormEnd } from './form-end';
import styles from './order.module.css';
import { type AdminOrderDetailFragment, useRefundOrderMutation, useRefundQuoteQuery } from './order.generated';
import { done, newKey } from './outcome';
import { type Line, Pieces, piecesInput } from './pieces';
import { texts } from './texts';

interface RefundFormProps {
  order: AdminOrderDetailFragment;
  onClose: () => void;
}

function useRefund(order: AdminOrderDetailFragment) {
  const [key] = useState(newKey);
  const [chosen, setChosen] = useState<Record<string, number>>({});
  const [shelved, setShelved] = useState<Readonly<Record<string, boolean>>>({});
  const [delivery, setDelivery] = useState(false);
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const lines = piecesInput(chosen);
  const shipping = delivery ? order.refundable.shipping : '0';
  const { data, loading } = useRefundQuoteQuery({
    variables: { id: order.id, lines, shipping },
    fetchPolicy: 'network-only',
  });
  const quote = loading ? undefined : data?.admin?.order?.refundQuote;
  const nothing = lines.length === 0 && !delivery;
  const own = parseAmount(amount);
  const input = {
    orderId: order.id,
    lines: lines.map((line) => ({ ...line, restock: shelved[line.lineId] ?? null })),
    shipping,
    amount: own.value,
    reason,
    key,
  };

  function everything() {
    setChosen(Object.fromEntries(order.refundable.lines.map(({ lineId, quantity }) => [lineId, quantity])));
    setDelivery(Number(order.refundable.shipping) > 0);
    setAmount('');
  }

  const comesTo = own.invalid ? null : (own.value ?? (nothing ? null : quote));
  const waits = loading && !nothing && !amount.trim();
  const problem = own.invalid ? texts.noAmount : undefined;
  return { input, problem, comesTo, waits, chosen, setChosen, shelved, setShelved, delivery, setDelivery, amount, setAmount, reason, setReason, everything };
}

interface ShelveProps {
  line: Line;
  chosen: number;
  /** What the admin decided; undefined leaves it to what has been sent. */
  said: boolean | undefined;
  onSay: (shelve: boolean) => void;
}

/** Whether refunded pieces go on the shelf: those that have not been sent do, unless the admin says otherwise. */
function Shelve({ line, chosen, said, onSay }: ShelveProps) {
  if (chosen === 0) return null;
  const sent = Math.max(0, chosen - line.toShip);
  const shelved = said ?? sent === 0;
  return (
    <Checkbox checked={shelved} onChange={() => onSay(!shelved)}>
      {sent === 0 || sent === chosen || said === false
        ? 'Put back on the shelf'
        : `Put all ${chosen} back on the shelf, not only the ${chosen - sent} not sent`}
    </Checkbox>
  );
}

/** What is paid back: pieces, delivery, or a sum. */
export function RefundForm({ order, onClose }: RefundFormProps) {
  const [refundOrder, { loading }] = useRefundOrderMutation({ refetchQueries: ['AdminCounts'] });
  const refund = useRefund(order);
  const [refusal, setRefusal] = useState<string>();
  const left = new Map(order.refundable.lines.map(({ lineId, quantity }) => [lineId, quantity]));
  const lines = order.lines.flatMap((line) => ({ line, most: left.get(line.id) ?? 0 })).filter(({ most }) => most > 0);
  const unsent = lines.some(({ line }) => line.toShip > 0 && (refund.chosen[line.id] ?? 0) > 0);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const words = { done: texts.refunded, otherwise: texts.refundFailed };
    const why = await done(refundOrder({ variables: { input: refund.input } }), (data) => data.refundOrder, words);
    setRefusal(why);
    if (!why) onClose();
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <div className={styles.left}>
        <p>{formatPrice(order.refundable.amount)} can still be refunded.</p>
        <Button small onClick={refund.everything}>
          Choose everything
        </Button>
      </div>
      <Pieces lines={lines} chosen={refund.chosen} onChoose={refund.setChosen} verb="to refund">
        {(line) => (
          <Shelve
            line={line}
            chosen={refund.chosen[line.id] ?? 0}
            said={refund.shelved[line.id]}
            onSay={(shelve) => refund.setShelved({ ...refund.shelved, [line.id]: shelve })}
          />
        )}
      </Pieces>
      {Number(order.refundable.shipping) > 0 && (
        <Checkbox checked={refund.delivery} onChange={() => refund.setDelivery(!refund.delivery)}>
          Delivery, {formatPrice(order.refundable.shipping)}
        </Checkbox>
      )}
      <Field
        label="Another amount (optional)"
        inputMode="decimal"
        error={refund.problem}
        value={refund.amount}
        note="In dollars, such as 19.90. Left empty, it is what the choice above comes to."
        onChange={({ target }) => refund.setAmount(target.value)}
      />
      <Field
        label="Reason, for the buyer (optional)"
        value={refund.reason}
        maxLength={500}
        onChange={({ target }) => refund.setReason(target.value)}
      />
      <p role="status" className={styles.comesTo}>
        {refund.comesTo
          ? `${formatPrice(refund.comesTo)} goes back to the card.`
          : refund.waits
            ? 'Working it out ...'
            : 'Choose what to refund.'}{' '}
        {unsent && 'Pieces that have not been sent will not be. '}
        {refund.comesTo && texts.lost}
      </p>
      <FormEnd
        refusal={refusal}
        submit="Refund"
        danger
        disabled={!refund.comesTo}
        working={loading && 'Refunding ...'}
        onClose={onClose}
      />
    </form>
  );
}
