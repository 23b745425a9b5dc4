import { type SubmitEvent, useState } from 'react';
import { parseCents } from '~/ui/amount';
import { Checkbox } from '~/ui/choice';
import { Field, Select } from '~/ui/field';
import { FormEnd } from './form-end';
import { type ShippingAndTaxDetailsFragment, useSetTaxRateMutation } from './pricing.generated';
import styles from './pricing.module.css';
import { useSaving } from './use-saving';

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
  const [country, setCountry] = useState(tax?.country.code ?? '');
  const [name, setName] = useState(tax?.name ?? 'VAT');
  const [percent, setPercent] = useState(tax ? String(tax.basisPoints / 100) : '');
  const [onDelivery, setOnDelivery] = useState(tax?.onDelivery ?? true);
  const [isBroken, setBroken] = useState(false);
  const [setTaxRate] = useSetTaxRateMutation();
  const { problems, refusal, saving, save } = useSaving();

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    // Hundredths of a percent, as cents are hundredths of a dollar.
    const basisPoints = parseCents(percent);
    setBroken(basisPoints === null);
    if (basisPoints === null || saving) return;
    const sent = setTaxRate({ variables: { country, name, basisPoints, onDelivery } });
    if (await save(sent, (data) => data.setTaxRate)) onSaved();
  }

  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      <Select
        label="Country"
        value={country}
        disabled={tax !== null}
        error={problems['country']}
        onChange={({ target }) => setCountry(target.value)}
      >
        <option value="">Choose</option>
        {countries.map(({ code, name: words }) => (
          <option key={code} value={code}>
            {words}
          </option>
        ))}
      </Select>
      <div className={styles.pair}>
        <Field
          label="Percent"
          inputMode="decimal"
          value={percent}
          error={isBroken ? '0 to 100, such as 19 or 8.25' : problems['basisPoints']}
          onChange={({ target }) => setPercent(target.value)}
        />
        <Field label="Name" value={name} maxLength={60} error={problems['name']} onChange={({ target }) => setName(target.value)} />
      </div>
      <Checkbox checked={onDelivery} onChange={() => setOnDelivery(!onDelivery)}>
        Delivery is taxed too
      </Checkbox>
      <FormEnd saving={saving} refusal={refusal} onCancel={onCancel} />
    </form>
  );
}
