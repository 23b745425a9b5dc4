import { useApolloClient } from '@apollo/client/react';
import { valibotResolver } from '@hookform/resolvers/valibot';
import { useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { Button, ButtonLink } from '~/ui/button';
import { Checkbox } from '~/ui/choice';
import { ErrorNote } from '~/ui/error-note';
import { Field } from '~/ui/field';
import { StatesDocument, useStatesQuery } from './address.generated';
import styles from './address-form.module.css';
import { CountrySelect, StateSelect } from './country-select';
import { addressRules, type AddressValues } from './rules';
import { texts } from './texts';

const SPINNER_MS = 500;
const CODE = /^[A-Z]{2}$/;

const before = [
  { name: 'name', label: texts.fullName, autoComplete: 'name' },
  { name: 'address1', label: 'Address line 1', autoComplete: 'address-line1' },
  { name: 'address2', label: 'Address line 2 (optional)', autoComplete: 'address-line2' },
  { name: 'city', label: 'City', autoComplete: 'address-level2' },
] as const;
const after = [
  { name: 'postalCode', label: 'Postal code (optional)', autoComplete: 'postal-code' },
  { name: 'phone', label: 'Phone', autoComplete: 'tel', type: 'tel' },
] as const;

export type AddressField = keyof AddressValues;

/** What was refused: one message for the form, or one for each field. */
export interface AddressRefusal {
  message: string;
  fields?: { field: AddressField; message: string }[];
}

interface AddressFormProps {
  values: AddressValues;
  cancelTo: { pathname: string; state?: unknown };
  /** Called on every change. */
  onChange?: (values: AddressValues) => void;
  onCancel?: () => void;
  /** Resolves to null once saved. */
  onSave: (values: AddressValues) => Promise<AddressRefusal | null>;
}

/** Whether something was pressed a moment ago. */
function usePresses() {
  const [presses, setPresses] = useState(0);

  useEffect(() => {
    if (presses === 0) return;
    const timer = setTimeout(() => setPresses(0), SPINNER_MS);
    return () => clearTimeout(timer);
  }, [presses]);

  return { busy: presses > 0, press: () => setPresses((count) => count + 1) };
}

export function AddressForm({ values, cancelTo, onChange, onCancel, onSave }: AddressFormProps) {
  const { register, control, handleSubmit, setError, setValue, getValues, formState } = useForm<AddressValues>({
    resolver: valibotResolver(addressRules),
    defaultValues: values,
  });
  const { errors, isSubmitting, isSubmitSuccessful } = formState;
  const [country, state] = useWatch({ control, name: ['country', 'state'] });
  const client = useApolloClient();
  const { data } = useStatesQuery({ variables: { country }, skip: !CODE.test(country) });
  const states = data?.shop.states;
  const saving = isSubmitting || (isSubmitSuccessful && !errors.root);
  const presses = usePresses();

  /** The states of the country that was entered, also when they are still on their way; without them, none is asked for. */
  async function statesOf({ country }: AddressValues) {
    if (!CODE.test(country)) return null;
    const answer = await client.query({ query: StatesDocument, variables: { country } }).catch(() => null);
    return answer?.data?.shop.states;
  }

  const submit = handleSubmit(async (entered) => {
    const asked = entered.state ? null : await statesOf(entered);
    if (asked?.isRequired) {
      setError('state', { message: texts.stateRequired(asked.label) }, { shouldFocus: true });
      return;
    }
    const refusal = await onSave(entered);
    if (!refusal) return;
    setError('root', { message: refusal.message });
    for (const { field, message } of refusal.fields ?? []) setError(field, { message });
  });

  const line = ({ label, ...input }: (typeof before)[number] | (typeof after)[number]) => (
    <div key={input.name} className={styles[input.name]}>
      <Field {...register(input.name)} {...input} label={label} error={errors[input.name]?.message} />
    </div>
  );

  return (
    <form
      className={styles.form}
      onSubmit={(event) => void submit(event)}
      onChange={() => onChange?.(getValues())}
      noValidate
    >
      {before.map(line)}
      <CountrySelect
        {...register('country', { onChange: () => setValue('state', '') })}
        value={country}
        error={errors.country?.message}
      />
      {states && <StateSelect {...register('state')} states={states} value={state} error={errors.state?.message} />}
      {after.map(line)}
      <div className={styles.wide}>
        <Checkbox {...register('isDefault', { onChange: presses.press })} busy={presses.busy}>
          {texts.makeDefault}
        </Checkbox>
      </div>
      {errors.root?.message && (
        <div className={styles.wide}>
          <ErrorNote>{errors.root.message}</ErrorNote>
        </div>
      )}
      <div className={`${styles.wide} ${styles.actions}`}>
        <Button kind="primary" type="submit" working={saving && 'Saving ...'}>
          Save Address
        </Button>
        <ButtonLink to={cancelTo.pathname} state={cancelTo.state} onClick={onCancel}>
          Cancel
        </ButtonLink>
      </div>
    </form>
  );
}
