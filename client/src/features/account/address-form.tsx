import { useApolloClient } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { refusalOf, useSentForm } from '~/graphql/use-sent-form';
import { Button, ButtonLink } from '~/ui/button';
import { Checkbox } from '~/ui/choice';
import { ErrorNote } from '~/ui/error-note';
import { Field } from '~/ui/field';
import { StatesDocument, useStatesQuery } from './address.generated';
import styles from './address-form.module.css';
import { CountrySelect, StateSelect } from './country-select';
import { addressRules, type AddressValues } from './rules';
import { texts } from './texts';
import type { AddressSaving } from './use-save-address';

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

interface AddressFormProps {
  values: AddressValues;
  cancelTo: { pathname: string; state?: unknown };
  /** Called on every change. */
  onChange?: (values: AddressValues) => void;
  onCancel?: () => void;
  saving: AddressSaving;
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

/** Asks whether a country has states; null where it is typed in words or the shop does not answer. */
function useStatesOf() {
  const client = useApolloClient();
  return async (country: string) => {
    if (!CODE.test(country)) return null;
    const answer = await client.query({ query: StatesDocument, variables: { country } }).catch(() => null);
    return answer?.data?.shop.states;
  };
}

export function AddressForm({ values, cancelTo, onChange, onCancel, saving }: AddressFormProps) {
  const statesOf = useStatesOf();
  const { control, errorOf, field, getValues, isSending, onSubmit, refusal, register, setValue } = useSentForm({
    ...saving,
    rules: addressRules,
    defaultValues: values,
    send: async (entered) => {
      // They may still be on their way when the form is sent.
      const states = entered.state ? null : await statesOf(entered.country);
      return states?.isRequired ? refusalOf(texts.stateRequired(states.label), 'state') : saving.send(entered);
    },
    done: 'Addresses',
    loud: true,
  });
  const [country, state] = useWatch({ control, name: ['country', 'state'] });
  const { data } = useStatesQuery({ variables: { country }, skip: !CODE.test(country) });
  const states = data?.shop.states;
  const presses = usePresses();

  const line = ({ label, ...input }: (typeof before)[number] | (typeof after)[number]) => (
    <div key={input.name} className={styles[input.name]}>
      <Field {...field(input.name)} {...input} label={label} />
    </div>
  );

  return (
    <form className={styles.form} onSubmit={onSubmit} onChange={() => onChange?.(getValues())} noValidate>
      {before.map(line)}
      <CountrySelect
        {...register('country', { onChange: () => setValue('state', '') })}
        value={country}
        error={errorOf('country')}
      />
      {states && <StateSelect {...field('state')} states={states} value={state} />}
      {after.map(line)}
      <div className={styles.wide}>
        <Checkbox {...register('isDefault', { onChange: presses.press })} busy={presses.busy}>
          {texts.makeDefault}
        </Checkbox>
      </div>
      {refusal && (
        <div className={styles.wide}>
          <ErrorNote>{refusal}</ErrorNote>
        </div>
      )}
      <div className={`${styles.wide} ${styles.actions}`}>
        <Button kind="primary" type="submit" working={isSending && 'Saving ...'}>
          Save Address
        </Button>
        <ButtonLink to={cancelTo.pathname} state={cancelTo.state} onClick={onCancel}>
          Cancel
        </ButtonLink>
      </div>
    </form>
  );
}
