import { type SubmitEvent, useState } from 'react';
import { type Parsed, parseAmount, parseWhole } from '~/ui/amount';
import { Field } from '~/ui/field';
import { localMoment, parseMoment } from '~/ui/moment';
import { Segments } from '~/ui/segments';
import { FormEnd } from './form-end';
import {
  type DiscountCodeRowFragment,
  useCreateDiscountCodeMutation,
  useEditDiscountCodeMutation,
} from './pricing.generated';
import styles from './pricing.module.css';
import { useSaving } from './use-saving';

const kinds = [
  { value: 'percent', label: 'Percent' },
  { value: 'amount', label: 'Amount' },
] as const;

const blank = (value: number | null) => (value === null ? '' : String(value));

function typedOf(code: DiscountCodeRowFragment | null) {
  return {
    code: code?.code ?? '',
    kind: code?.amount ? ('amount' as const) : ('percent' as const),
    worth: code?.amount ?? blank(code?.percent ?? null),
    minSubtotal: code && code.minSubtotal !== '0.00' ? code.minSubtotal : '',
    startsAt: localMoment(code?.startsAt),
    endsAt: localMoment(code?.endsAt),
    maxUses: blank(code?.maxUses ?? null),
    maxUsesPerCustomer: blank(code?.maxUsesPerCustomer ?? null),
  };
}

type Typed = ReturnType<typeof typedOf>;

const missing = ({ value }: Parsed<unknown>) => value === null;

/** Broken rules that need no server: what cannot even be sent. */
function unsendable({ kind, worth, minSubtotal, startsAt, endsAt, maxUses, maxUsesPerCustomer }: Typed): Record<string, string> {
  const problems: Record<string, string> = {};
  if (kind === 'percent' && missing(parseWhole(worth))) problems['percent'] = '1 to 100';
  if (kind === 'amount' && missing(parseAmount(worth))) problems['amount'] = 'An amount such as 5.00';
  if (parseAmount(minSubtotal).invalid) problems['minSubtotal'] = 'An amount such as 50.00';
  if (parseMoment(startsAt).invalid) problems['startsAt'] = 'A date with a year of four digits';
  if (parseMoment(endsAt).invalid) problems['endsAt'] = 'A date with a year of four digits';
  if (parseWhole(maxUses).invalid) problems['maxUses'] = '1 or more';
  if (parseWhole(maxUsesPerCustomer).invalid) problems['maxUsesPerCustomer'] = '1 or more';
  return problems;
}

interface CodeFormProps {
  /** The code to be changed; null for a new one. */
  code: DiscountCodeRowFragment | null;
  onSaved: (code: DiscountCodeRowFragment) => void;
  onCancel: () => void;
}

/** Everything about a discount code; its words only while it is new. */
export function CodeForm({ code, onSaved, onCancel }: CodeFormProps) {
  const [typed, setTyped] = useState(() => typedOf(code));
  const [found, setFound] = useState<Record<string, string>>({});
  const [create] = useCreateDiscountCodeMutation();
  const [change] = useEditDiscountCodeMutation();
  const { problems, refusal, saving, save } = useSaving();
  const wrong = { ...problems, ...found };

  const field = (name: Exclude<keyof Typed, 'kind'>) => ({
    value: typed[name],
    error: wrong[name],
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => setTyped({ ...typed, [name]: target.value }),
  });

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const broken = unsendable(typed);
    setFound(broken);
    if (Object.keys(broken).length > 0 || saving) return;
    const input = {
      percent: typed.kind === 'percent' ? parseWhole(typed.worth).value : null,
      amount: typed.kind === 'amount' ? parseAmount(typed.worth).value : null,
      minSubtotal: parseAmount(typed.minSubtotal).value,
      startsAt: parseMoment(typed.startsAt).value,
      endsAt: parseMoment(typed.endsAt).value,
      maxUses: parseWhole(typed.maxUses).value,
      maxUsesPerCustomer: parseWhole(typed.maxUsesPerCustomer).value,
      isActive: true,
    };
    const saved = code
      ? await save(change({ variables: { code: code.code, input } }), (data) => data.editDiscountCode)
      : await save(create({ variables: { code: typed.code, input } }), (data) => data.createDiscountCode);
    if (saved?.__typename === 'DiscountCode') onSaved(saved);
  }

  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      {!code && <Field label="Code" {...field('code')} maxLength={40} note="Letters, digits, - and _. Case does not matter to shoppers." />}
      <Segments label="Takes off" options={kinds} chosen={typed.kind} onChoose={(kind) => setTyped({ ...typed, kind, worth: '' })} />
      <div className={styles.pair}>
        <Field
          label={typed.kind === 'percent' ? 'Percent off' : 'Dollars off'}
          inputMode="decimal"
          {...field('worth')}
          error={wrong[typed.kind]}
        />
        <Field label="From a subtotal of" inputMode="decimal" start="$" {...field('minSubtotal')} note="Empty: any." />
        <Field label="Starts" type="datetime-local" {...field('startsAt')} note="Empty: at once." />
        <Field label="Ends" type="datetime-local" {...field('endsAt')} note="Empty: never." />
        <Field label="Uses in all" inputMode="numeric" {...field('maxUses')} note="Empty: without limit." />
        <Field label="Uses by one customer" inputMode="numeric" {...field('maxUsesPerCustomer')} note="Empty: without limit." />
      </div>
      <FormEnd saving={saving} refusal={refusal} onCancel={onCancel} />
    </form>
  );
}
