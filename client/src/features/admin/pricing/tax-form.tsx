import { useSentForm } from '~/graphql/use-sent-form';
import { Checkbox } from '~/ui/choice';
import { Field, Select } from '~/ui/field';
import { FormEnd } from '~/ui/form-end';
import { type ShippingAndTaxDetailsFragment, useSetTaxRateMutation } from './pricing.generated';
import styles from './pricing.module.css';
import { taxRules } from './rules';
import { texts } from './texts';

type Tax = ShippingAndTaxDetailsFragment['taxRates'][number];

interface TaxFormProps {
  /** The tax to be changed; null for another country's. */
  tax: Tax | null;
  countries: ShippingAndTaxDetailsFragment['countries'];
  onSaved: () => void;
  onCancel: () => void;
}

/** The tax of one country. */
export function TaxForm({ tax, countries, onSaved, onCancel }: TaxFormProps) {
  const [setTaxRate] = useSetTaxRateMutation();
  const { field, isSending, onSubmit, refusal, register } = useSentForm({
    rules: taxRules,
    defaultValues: {
      country: tax?.country.code ?? '',
      name: tax?.name ?? 'VAT',
      basisPoints: tax ? String(tax.basisPoints / 100) : '',
      onDelivery: tax?.onDelivery ?? true,
    },
    send: ({ country, ...input }) => setTaxRate({ variables: { country, input } }),
    done: 'ShippingAndTax',
    onDone: onSaved,
    otherwise: texts.notSaved,
  });

  return (
    <form className={styles.form} noValidate onSubmit={onSubmit}>
      {tax ? (
        <Select label="Country" value={tax.country.code} disabled>
          <option value={tax.country.code}>{tax.country.name}</option>
        </Select>
      ) : (
        <Select label="Country" {...field('country')}>
          <option value="">Choose</option>
          {countries.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <div className={styles.pair}>
        <Field label="Percent" inputMode="decimal" {...field('basisPoints')} />
        <Field label="Name" {...field('name')} maxLength={60} />
      </div>
      <Checkbox {...register('onDelivery')}>Delivery is taxed too</Checkbox>
      <FormEnd refusal={refusal} submit={texts.save} working={isSending && texts.saving} onCancel={onCancel} />
    </form>
  );
}
