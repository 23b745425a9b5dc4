import { useSentForm } from '~/graphql/use-sent-form';
import { Field } from '~/ui/field';
import { FormEnd } from '~/ui/form-end';
import { Segments } from '~/ui/segments';
import {
  type DiscountCodeRowFragment,
  useCreateDiscountCodeMutation,
  useEditDiscountCodeMutation,
} from './pricing.generated';
import styles from './pricing.module.css';
import { codeInput, codeRules, codeTyped } from './rules';
import { texts } from './texts';

const kinds = [
  { value: 'percent', label: 'Percent' },
  { value: 'amount', label: 'Amount' },
] as const;

interface CodeFormProps {
  /** The code to be changed; null for a new one. */
  code: DiscountCodeRowFragment | null;
  onSaved: (code: DiscountCodeRowFragment) => void;
  onCancel: () => void;
}

function useCodeForm({ code, onSaved }: CodeFormProps) {
  const [create] = useCreateDiscountCodeMutation();
  const [change] = useEditDiscountCodeMutation();
  return useSentForm({
    rules: codeRules,
    defaultValues: codeTyped(code),
    send: async (ready) =>
      code
        ? change({ variables: { code: code.code, input: codeInput(ready) } })
        : create({ variables: { code: ready.code, input: codeInput(ready) } }),
    done: 'DiscountCode',
    onDone: onSaved,
    otherwise: texts.notSaved,
    fields: { percent: 'worth', amount: 'worth' },
  });
}

/** Everything about a discount code; its words only while it is new. */
export function CodeForm(props: CodeFormProps) {
  const { code, onCancel } = props;
  const { field: of, isSending, onSubmit, refusal, setValue, watch } = useCodeForm(props);
  const kind = watch('kind');
  const field = (name: Parameters<typeof of>[0]) => ({ ...of(name), autoComplete: 'off' });

  function choose(other: typeof kind) {
    setValue('kind', other);
    setValue('worth', '');
  }

  return (
    <form className={styles.form} noValidate onSubmit={onSubmit}>
      {!code && (
        <Field
          label="Code"
          {...field('code')}
          maxLength={40}
          note="Letters, digits, - and _. Case does not matter to shoppers."
        />
      )}
      <Segments label="Takes off" options={kinds} chosen={kind} onChoose={choose} />
      <div className={styles.pair}>
        <Field label={kind === 'percent' ? 'Percent off' : 'Dollars off'} inputMode="decimal" {...field('worth')} />
        <Field label="From a subtotal of" inputMode="decimal" start="$" {...field('minSubtotal')} note="Empty: any." />
        <Field label="Starts" type="datetime-local" {...field('startsAt')} note="Empty: at once." />
        <Field label="Ends" type="datetime-local" {...field('endsAt')} note="Empty: never." />
        <Field label="Uses in all" inputMode="numeric" {...field('maxUses')} note="Empty: without limit." />
        <Field
          label="Uses by one customer"
          inputMode="numeric"
          {...field('maxUsesPerCustomer')}
          note="Empty: without limit."
        />
      </div>
      <FormEnd refusal={refusal} submit={texts.save} working={isSending && texts.saving} onCancel={onCancel} />
    </form>
  );
}
