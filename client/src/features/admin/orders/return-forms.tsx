import { useState } from 'react';
import * as v from 'valibot';
import { useSentForm } from '~/graphql/use-sent-form';
import { parseAmount } from '~/ui/amount';
import { Checkbox } from '~/ui/choice';
import { Field, TextArea } from '~/ui/field';
import { formatPrice } from '~/ui/price';
import { toast } from '~/ui/toast';
import { typed } from '~/ui/typed';
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
import { newKey } from './outcome';
import { OrderFormEnd } from './order-form-end';
import { Pieces, pieces } from './pieces';
import { texts } from './texts';

const LONGEST = 1000;

interface ReturnFormProps {
  order: AdminOrderDetailFragment;
  returned: AdminReturnPartsFragment;
  onClose: () => void;
}

const acceptRules = v.object({ words: v.string(), labelUrl: v.string() });

/** Where the pieces go, in a mail to the buyer. */
export function AcceptForm({ order, returned, onClose }: ReturnFormProps) {
  const [version] = useState(order.version);
  const [acceptReturn] = useAcceptReturnMutation({ refetchQueries: ['AdminCounts'] });
  const { changes, field, isSending, onSubmit, refusal } = useSentForm({
    rules: acceptRules,
    defaultValues: { words: '', labelUrl: '' },
    send: (answer) => acceptReturn({ variables: { id: returned.id, version, input: answer } }),
    done: 'OrderChanged',
    onDone: onClose,
    success: texts.accepted,
    otherwise: texts.returnFailed,
  });
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <p>The buyer gets a mail with the shop's address to send the pieces to.</p>
      <TextArea label="Words to the buyer (optional)" {...field('words')} maxLength={LONGEST} />
      <Field label="Link to a label (optional)" type="url" {...field('labelUrl')} />
      <OrderFormEnd
        refusal={refusal}
        changes={changes}
        submit="Accept"
        working={isSending && 'Accepting ...'}
        cancel={texts.notNow}
        onCancel={onClose}
      />
    </form>
  );
}

const refuseRules = v.object({ words: v.string() });

/** Why the pieces cannot come back. */
export function RefuseForm({ order, returned, onClose }: ReturnFormProps) {
  const [version] = useState(order.version);
  const [refuseReturn] = useRefuseReturnMutation({ refetchQueries: ['AdminCounts'] });
  const { changes, field, isSending, onSubmit, refusal } = useSentForm({
    rules: refuseRules,
    defaultValues: { words: '' },
    send: ({ words }) => refuseReturn({ variables: { id: returned.id, version, words } }),
    done: 'OrderChanged',
    onDone: onClose,
    success: texts.refused,
    otherwise: texts.returnFailed,
  });
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <p>The buyer gets a mail with these words. {texts.lost}</p>
      <TextArea label="Why, for the buyer" {...field('words')} maxLength={LONGEST} />
      <OrderFormEnd
        refusal={refusal}
        changes={changes}
        submit="Refuse"
        danger
        working={isSending && 'Refusing ...'}
        cancel={texts.notNow}
        onCancel={onClose}
      />
    </form>
  );
}

const receiveRules = v.object({ came: pieces, spoiled: v.record(v.string(), v.boolean()) });

/** What came, and what of it can be sold again. */
export function ReceiveForm({ order, returned, onClose }: ReturnFormProps) {
  const [version] = useState(order.version);
  const [receiveReturn] = useReceiveReturnMutation({ refetchQueries: ['AdminCounts'] });
  const lines = order.lines.flatMap((line) => {
    const piece = returned.pieces.find(({ lineId }) => lineId === line.id);
    return piece ? { line, most: piece.quantity } : [];
  });
  const { changes, isSending, onSubmit, refusal, setValue, watch } = useSentForm({
    rules: receiveRules,
    defaultValues: { came: Object.fromEntries(lines.map(({ line, most }) => [line.id, most])), spoiled: {} },
    send: ({ came, spoiled }) => {
      const arrived = lines.map(({ line }) => {
        const quantity = came[line.id] ?? 0;
        return { lineId: line.id, quantity, restock: spoiled[line.id] ? 0 : quantity };
      });
      return receiveReturn({ variables: { id: returned.id, version, lines: arrived } });
    },
    done: 'OrderChanged',
    onDone: onClose,
    success: texts.received,
    otherwise: texts.returnFailed,
  });
  const { came, spoiled } = watch();
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <Pieces lines={lines} chosen={came} onChoose={(chosen) => setValue('came', chosen)} verb="that came">
        {(line) => (
          <Checkbox
            checked={!spoiled[line.id]}
            onChange={() => setValue('spoiled', { ...spoiled, [line.id]: !spoiled[line.id] })}
          >
            Put back on the shelf
          </Checkbox>
        )}
      </Pieces>
      <p>The buyer gets a mail that the parcel is here. The money is the next step.</p>
      <OrderFormEnd
        refusal={refusal}
        changes={changes}
        submit="Receive"
        working={isSending && 'Receiving ...'}
        cancel={texts.notNow}
        onCancel={onClose}
      />
    </form>
  );
}

/** What of a return can be paid back still, and what that comes to. */
function useReturnQuote({ order, returned }: ReturnFormProps, shipping: string) {
  const left = new Map(order.refundable.lines.map(({ lineId, quantity }) => [lineId, quantity]));
  const lines = returned.pieces.flatMap(({ lineId, received }) => {
    const quantity = Math.min(received ?? 0, left.get(lineId) ?? 0);
    return quantity ? { lineId, quantity } : [];
  });
  const { data, loading } = useRefundQuoteQuery({
    variables: { id: order.id, lines, shipping },
    fetchPolicy: 'network-only',
  });
  return { quote: data?.admin?.order?.refundQuote, waits: loading };
}

const refundRules = v.object({ amount: typed(parseAmount, texts.noAmount), delivery: v.boolean() });

/** The money for what came. */
export function RefundReturnForm(props: ReturnFormProps) {
  const { order, returned, onClose } = props;
  const [refundReturn] = useRefundReturnMutation({ refetchQueries: ['AdminCounts'] });
  const [key] = useState(newKey);
  const [version] = useState(order.version);
  const shippingOf = (delivery: boolean) => (delivery ? order.refundable.shipping : '0');
  const { changes, field, isSending, onSubmit, refusal, register, watch } = useSentForm({
    rules: refundRules,
    defaultValues: { amount: '', delivery: false },
    send: ({ amount, delivery }) =>
      refundReturn({
        variables: {
          id: returned.id,
          version,
          input: { amount, shipping: shippingOf(delivery), reason: '', key },
        },
      }),
    done: 'OrderChanged',
    onDone: (changed) => {
      const isRefunded = changed.order.refunds.length > order.refunds.length;
      toast.success(isRefunded ? texts.refunded : texts.returnClosed);
      onClose();
    },
    otherwise: texts.refundFailed,
  });
  const { amount, delivery } = watch();
  const { quote, waits } = useReturnQuote(props, shippingOf(delivery));
  const own = parseAmount(amount);
  const comesTo = own.invalid ? null : (own.value ?? quote);
  const isFree = !own.invalid && !waits && !Number(comesTo ?? 0);
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      {Number(order.refundable.shipping) > 0 && (
        <Checkbox {...register('delivery')}>Delivery, {formatPrice(order.refundable.shipping)}</Checkbox>
      )}
      <Field
        label="Another amount (optional)"
        inputMode="decimal"
        {...field('amount')}
        error={own.invalid ? texts.noAmount : field('amount').error}
        note="In dollars, such as 19.90, where what came was worn."
      />
      <p role="status" className={styles.comesTo}>
        {isFree
          ? texts.nothingToPay
          : comesTo
            ? `${formatPrice(comesTo)} goes back to the card. ${texts.lost}`
            : waits
              ? 'Working it out ...'
              : texts.noAmount}
      </p>
      <OrderFormEnd
        refusal={refusal}
        changes={changes}
        submit={isFree ? 'Close the return' : 'Refund'}
        danger={!isFree}
        working={isSending && (isFree ? 'Closing ...' : 'Refunding ...')}
        cancel={texts.notNow}
        onCancel={onClose}
      />
    </form>
  );
}
