import { Fragment } from 'react';
import { useSentForm } from '~/graphql/use-sent-form';
import { Field } from '~/ui/field';
import { FormEnd } from '~/ui/form-end';
import { Segments } from '~/ui/segments';
import { useTimeZone } from '~/ui/time-zone';
import {
  type DiscountCodeRowFragment,
  useCreateDiscountCodeMutation,
  useUpdateDiscountCodeMutation,
} from './pricing.generated';
import styles from './pricing.module.css';
import { actionEntries, actionForms, conditionEntries, type Fields } from './promotion-rules';
import { codeInput, codeRulesIn, codeTyped } from './rules';
import { texts } from './texts';

const kinds = actionEntries.map(([value, { label }]) => ({ value, label }));

interface CodeFormProps {
  /** The code to be changed; null for a new one. */
  code: DiscountCodeRowFragment | null;
  onSaved: (code: DiscountCodeRowFragment) => void;
  onCancel: () => void;
}

function useCodeForm({ code, onSaved }: CodeFormProps) {
  const [create] = useCreateDiscountCodeMutation();
  const [change] = useUpdateDiscountCodeMutation();
  const timeZone = useTimeZone();
  return useSentForm({
    rules: codeRulesIn(timeZone),
    defaultValues: codeTyped(code, timeZone),
    send: async (ready) =>
      code
        ? change({ variables: { code: code.code, input: codeInput(ready) } })
        : create({ variables: { code: ready.code, input: codeInput(ready) } }),
    done: 'DiscountCode',
    onDone: onSaved,
    otherwise: texts.notSaved,
  });
}

/** Everything about a discount code; its words only while it is new. */
export function CodeForm(props: CodeFormProps) {
  const { code, onCancel } = props;
  const { field: of, isSending, onSubmit, refusal, setValue, watch } = useCodeForm(props);
  const kind = watch('kind');
  const field = (name: Parameters<typeof of>[0]) => ({ ...of(name), autoComplete: 'off' });

  function choose(other: typeof kind) {
    for (const name of Object.keys(actionForms[kind].fields)) setValue(name, '');
    setValue('kind', other);
  }

  const inputs = (fields: Fields) =>
    Object.entries(fields).map(([name, { input }]) => <Fragment key={name}>{input(field(name))}</Fragment>);

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
        {inputs(actionForms[kind].fields)}
        {conditionEntries.map(([, { fields }]) => inputs(fields))}
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
