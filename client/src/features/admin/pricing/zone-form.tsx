import { useState } from 'react';
import { useSentForm } from '~/graphql/use-sent-form';
import { Button } from '~/ui/button';
import { Checkbox } from '~/ui/choice';
import { ErrorNote } from '~/ui/error-note';
import { Field } from '~/ui/field';
import { FormEnd } from '~/ui/form-end';
import { Segments } from '~/ui/segments';
import {
  type DeliveryZoneRowFragment,
  type ShippingAndTaxDetailsFragment,
  useCreateDeliveryZoneMutation,
  useUpdateDeliveryZoneMutation,
} from './pricing.generated';
import styles from './pricing.module.css';
import { wrongRates, zoneInput, zoneRules, zoneTyped } from './rules';
import { texts } from './texts';

const bases = [
  { value: 'TOTAL', label: 'Price of the goods' },
  { value: 'WEIGHT', label: 'Weight' },
] as const;

type Countries = ShippingAndTaxDetailsFragment['countries'];

/** Those that are in the zone stand on top, where they are seen without scrolling. */
function chosenFirst(countries: Countries, chosen: readonly string[]): Countries {
  const isChosen = ({ code }: Countries[number]) => chosen.includes(code);
  return [...countries.filter(isChosen), ...countries.filter((one) => !isChosen(one))];
}

interface ZoneFormProps {
  /** The zone to be changed; null for a new one. */
  zone: DeliveryZoneRowFragment | null;
  countries: Countries;
  onSaved: () => void;
  onCancel: () => void;
}

function useZoneForm({ zone, onSaved }: ZoneFormProps) {
  const [create] = useCreateDeliveryZoneMutation();
  const [update] = useUpdateDeliveryZoneMutation();
  return useSentForm({
    rules: zoneRules,
    defaultValues: zoneTyped(zone),
    async send(ready) {
      const input = zoneInput(ready);
      return zone ? update({ variables: { id: zone.id, input } }) : create({ variables: { input } });
    },
    done: 'ShippingAndTax',
    onDone: onSaved,
    otherwise: texts.notSaved,
  });
}

type Form = ReturnType<typeof useZoneForm>;

function ZoneCountries({ form, countries }: { form: Form; countries: Countries }) {
  const chosen = form.watch('countries');
  const [ordered] = useState(() => chosenFirst(countries, chosen));
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const matching = ordered.filter(
    ({ code, name }) => name.toLowerCase().includes(wanted) || code.toLowerCase() === wanted,
  );

  function toggle(code: string) {
    const others = chosen.filter((one) => one !== code);
    form.setValue('countries', others.length < chosen.length ? others : [...chosen, code]);
  }

  return (
    <fieldset>
      <legend>Countries, {chosen.length} chosen</legend>
      <Field
        label={texts.findCountry}
        type="search"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
        onKeyDown={(event) => {
          // It would send the form.
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      <div className={styles.countries}>
        {matching.length === 0 && <p className="small soft">{texts.noSuchCountry}</p>}
        {matching.map(({ code, name }) => (
          <Checkbox key={code} checked={chosen.includes(code)} onChange={() => toggle(code)}>
            {name}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  );
}

function ZoneRates({ form }: { form: Form }) {
  const [basis, rates] = form.watch(['basis', 'rates']);
  const { rates: wrong } = form.formState.errors;
  const set = (changed: typeof rates) => form.setValue('rates', changed);
  const edit = (at: number, changes: Partial<(typeof rates)[number]>) =>
    set(rates.map((rate, place) => (place === at ? { ...rate, ...changes } : rate)));
  return (
    <fieldset className={styles.rates}>
      <legend className="visually-hidden">Rates</legend>
      {rates.map((rate, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- rates have no name but their place.
        <div key={at} className={styles.rate}>
          <Field
            label={basis === 'WEIGHT' ? 'From grams' : 'From goods for'}
            inputMode="decimal"
            start={basis === 'WEIGHT' ? undefined : '$'}
            value={rate.from}
            onChange={({ target }) => edit(at, { from: target.value })}
          />
          <Field
            label="Delivery costs"
            inputMode="decimal"
            start="$"
            value={rate.price}
            onChange={({ target }) => edit(at, { price: target.value })}
          />
          <Button
            small
            aria-label={`Remove rate ${at + 1}`}
            disabled={rates.length === 1}
            onClick={() => set(rates.filter((_, place) => place !== at))}
          >
            Remove
          </Button>
        </div>
      ))}
      {wrong && <ErrorNote>{wrong.message || wrongRates[basis]}</ErrorNote>}
      <button type="button" className="link small" onClick={() => set([...rates, { from: '', price: '' }])}>
        One more rate
      </button>
    </fieldset>
  );
}

/** Everything about a delivery zone. */
export function ZoneForm(props: ZoneFormProps) {
  const form = useZoneForm(props);
  const { field, formState, register, watch } = form;

  return (
    <form className={styles.form} noValidate onSubmit={form.onSubmit}>
      <Field label="Name" {...field('name')} maxLength={60} note="Shoppers read it beside the price." />
      <Checkbox {...register('isRestOfWorld')}>The rest of the world</Checkbox>
      {!watch('isRestOfWorld') && <ZoneCountries form={form} countries={props.countries} />}
      {formState.errors.countries?.message && <ErrorNote>{formState.errors.countries.message}</ErrorNote>}
      <Segments
        label="The price goes by"
        options={bases}
        chosen={watch('basis')}
        onChoose={(basis) => form.setValue('basis', basis)}
      />
      <ZoneRates form={form} />
      <Field
        label="Free from goods for"
        inputMode="decimal"
        start="$"
        {...field('freeFrom')}
        note="After any discount. Empty: never free."
      />
      <div className={styles.pair}>
        <Field label="Working days at least" inputMode="numeric" {...field('minDays')} />
        <Field label="Working days at most" inputMode="numeric" {...field('maxDays')} />
      </div>
      <FormEnd
        refusal={form.refusal}
        submit={texts.save}
        working={form.isSending && texts.saving}
        onCancel={props.onCancel}
      />
    </form>
  );
}
