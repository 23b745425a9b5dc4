import { useState } from 'react';
import * as v from 'valibot';
import { useSentForm } from '~/graphql/use-sent-form';
import { parseAmount } from '~/ui/amount';
import { Button } from '~/ui/button';
import { Checkbox } from '~/ui/choice';
import { Field } from '~/ui/field';
import { formatPrice } from '~/ui/price';
import { toast } from '~/ui/toast';
import { typed } from '~/ui/typed';
import styles from './order.module.css';
import { type AdminOrderDetailFragment, useRefundOrderMutation, useRefundQuoteQuery } from './order.generated';
import { newKey } from './outcome';
import { OrderFormEnd } from './order-form-end';
import { type Line, Pieces, pieces, piecesInput } from './pieces';
import { texts } from './texts';

interface RefundFormProps {
  order: AdminOrderDetailFragment;
  onClose: () => void;
}

const rules = v.object({
  chosen: pieces,
  shelved: v.record(v.string(), v.boolean()),
  delivery: v.boolean(),
  amount: typed(parseAmount, texts.noAmount),
  reason: v.string(),
});
const nothingYet: v.InferInput<typeof rules> = { chosen: {}, shelved: {}, delivery: false, amount: '', reason: '' };

/** What the choice comes to, asked of the server with each change; null for nothing, or for no amount. */
function useComesTo({ id, refundable }: AdminOrderDetailFragment, { chosen, delivery, amount }: typeof nothingYet) {
  const lines = piecesInput(chosen);
  const { data, loading } = useRefundQuoteQuery({
    variables: { id, lines, shipping: delivery ? refundable.shipping : '0' },
    fetchPolicy: 'network-only',
  });
  const own = parseAmount(amount);
  const nothing = lines.length === 0 && !delivery;
  const quote = nothing || loading ? null : data?.admin?.order?.refundQuote;
  return {
    comesTo: own.invalid ? null : (own.value ?? quote),
    waits: loading && !nothing && !amount.trim(),
    problem: own.invalid ? texts.noAmount : undefined,
  };
}

function useRefund({ order, onClose }: RefundFormProps) {
  const [key] = useState(newKey);
  const [version] = useState(order.version);
  const [refundOrder] = useRefundOrderMutation({ refetchQueries: ['AdminCounts'] });
  const { lines, shipping } = order.refundable;
  const form = useSentForm({
    rules,
    defaultValues: nothingYet,
    send: ({ chosen, shelved, delivery, amount, reason }) => {
      const returned = piecesInput(chosen).map((line) => ({ ...line, restock: shelved[line.lineId] ?? null }));
      const delivered = delivery ? shipping : '0';
      const input = { lines: returned, shipping: delivered, amount, reason, key };
      return refundOrder({ variables: { id: order.id, version, input } });
    },
    done: 'OrderChanged',
    onDone: (changed) => {
      const isRefunded = changed.order.refunds.length > order.refunds.length;
      toast.success(isRefunded ? texts.refunded : texts.calledOff);
      onClose();
    },
    otherwise: texts.refundFailed,
  });

  function everything() {
    form.setValue('chosen', Object.fromEntries(lines.map(({ lineId, quantity }) => [lineId, quantity])));
    form.setValue('delivery', Number(shipping) > 0);
    form.setValue('amount', '');
  }

  const values = form.watch();
  return { ...form, values, everything, ...useComesTo(order, values) };
}

interface ShelveProps {
  line: Line;
  chosen: number;
  /** What the admin decided; undefined leaves it to what has been sent. */
  choice: boolean | undefined;
  onSay: (shelve: boolean) => void;
}

/** Whether refunded pieces go on the shelf: those that have not been sent do, unless the admin says otherwise. */
function Shelve({ line, chosen, choice, onSay }: ShelveProps) {
  if (chosen === 0) return null;
  const sent = Math.max(0, chosen - line.toShip);
  const shelved = choice ?? sent === 0;
  return (
    <Checkbox checked={shelved} onChange={() => onSay(!shelved)}>
      {sent === 0 || sent === chosen || choice === false
        ? 'Put back on the shelf'
        : `Put all ${chosen} back on the shelf, not only the ${chosen - sent} not sent`}
    </Checkbox>
  );
}

type Refund = ReturnType<typeof useRefund>;

function RefundPieces({ order, refund }: { order: AdminOrderDetailFragment; refund: Refund }) {
  const { chosen, shelved } = refund.values;
  const left = new Map(order.refundable.lines.map(({ lineId, quantity }) => [lineId, quantity]));
  const lines = order.lines.flatMap((line) => ({ line, most: left.get(line.id) ?? 0 })).filter(({ most }) => most > 0);
  return (
    <Pieces lines={lines} chosen={chosen} onChoose={(now) => refund.setValue('chosen', now)} verb="to refund">
      {(line) => (
        <Shelve
          line={line}
          chosen={chosen[line.id] ?? 0}
          choice={shelved[line.id]}
          onSay={(shelve) => refund.setValue('shelved', { ...shelved, [line.id]: shelve })}
        />
      )}
    </Pieces>
  );
}

/** What goes back, in words. */
function comesToWords({ comesTo, waits }: Refund, unsent: boolean): string {
  if (Number(comesTo) > 0) return `${formatPrice(comesTo ?? '0')} goes back to the card.`;
  if (comesTo) return unsent ? texts.noMoney : texts.nothingToPay;
  return waits ? 'Working it out ...' : 'Choose what to refund.';
}

function ComesTo({ refund, unsent }: { refund: Refund; unsent: boolean }) {
  return (
    <p role="status" className={styles.comesTo}>
      {comesToWords(refund, unsent)} {unsent && 'Pieces that have not been sent will not be. '}
      {refund.comesTo && texts.lost}
    </p>
  );
}

/** What is paid back: pieces, delivery, or a sum. */
export function RefundForm({ order, onClose }: RefundFormProps) {
  const refund = useRefund({ order, onClose });
  const { field, problem, values, comesTo } = refund;
  const unsent = order.lines.some(({ id, toShip }) => toShip > 0 && (values.chosen[id] ?? 0) > 0);

  return (
    <form className={styles.form} onSubmit={refund.onSubmit} noValidate>
      <div className={styles.left}>
        <p>{formatPrice(order.refundable.amount)} can still be refunded.</p>
        <Button small onClick={refund.everything}>
          Choose everything
        </Button>
      </div>
      <RefundPieces order={order} refund={refund} />
      {Number(order.refundable.shipping) > 0 && (
        <Checkbox {...refund.register('delivery')}>Delivery, {formatPrice(order.refundable.shipping)}</Checkbox>
      )}
      <Field
        label="Another amount (optional)"
        inputMode="decimal"
        {...field('amount')}
        error={problem ?? field('amount').error}
        note="In dollars, such as 19.90. Left empty, it is what the choice above comes to."
      />
      <Field label="Reason, for the buyer (optional)" {...field('reason')} maxLength={500} />
      <ComesTo refund={refund} unsent={unsent} />
      <OrderFormEnd
        refusal={refund.refusal}
        changes={refund.changes}
        submit="Refund"
        danger
        disabled={!comesTo || (Number(comesTo) === 0 && !unsent)}
        working={refund.isSending && 'Refunding ...'}
        cancel={texts.notNow}
        onCancel={onClose}
      />
    </form>
  );
}
