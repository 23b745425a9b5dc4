import { type SubmitEvent, useState } from 'react';
import { parseAmount, parseWhole } from '~/ui/amount';
import { Button } from '~/ui/button';
import { Checkbox } from '~/ui/choice';
import { ErrorNote } from '~/ui/error-note';
import { Field } from '~/ui/field';
import { Segments } from '~/ui/segments';
import { FormEnd } from './form-end';
import { type DeliveryZoneRowFragment, type ShippingAndTaxDetailsFragment, useSaveDeliveryZoneMutation } from './pricing.generated';
import styles from './pricing.module.css';
import { useSaving } from './use-saving';

const bases = [
  { value: 'TOTAL', label: 'Price of the goods' },
  { value: 'WEIGHT', label: 'Weight' },
] as const;

interface TypedRate {
  from: string;
  price: string;
}

function typedOf(zone: DeliveryZoneRowFragment | null) {
  return {
    name: zone?.name ?? '',
    isRestOfWorld: zone?.isRestOfWorld ?? false,
    countries: new Set(zone?.countries.map(({ code }) => code)),
    basis: zone?.basis ?? ('TOTAL' as const),
    rates: (zone?.rates ?? [{ fromGrams: null, fromAmount: '0.00', price: '' }]).map(
      ({ fromGrams, fromAmount, price }): TypedRate => ({ from: fromAmount ?? String(fromGrams), price }),
    ),
    freeFrom: zone?.freeFrom ?? '',
    minDays: zone?.minDays === null || !zone ? '' : String(zone.minDays),
    maxDays: zone?.maxDays === null || !zone ? '' : String(zone.maxDays),
  };
}

type Typed = ReturnType<typeof typedOf>;

const isAmount = (typed: string) => parseAmount(typed).value !== null;

/** Broken rules that need no server: what cannot even be sent. */
function unsendable({ basis, rates, freeFrom, minDays, maxDays }: Typed): Record<string, string> {
  const problems: Record<string, string> = {};
  const isLeast = (from: string) => (basis === 'WEIGHT' ? parseWhole(from).value !== null : isAmount(from));
  if (!rates.every(({ from, price }) => isLeast(from) && isAmount(price))) {
    problems['rates'] = basis === 'WEIGHT' ? 'Whole grams, and prices such as 12.00' : 'Amounts such as 12.00';
  }
  if (parseAmount(freeFrom).invalid) problems['freeFrom'] = 'An amount such as 150.00';
  if (parseWhole(minDays).invalid || parseWhole(maxDays).invalid) problems['maxDays'] = 'Whole days';
  return problems;
}

type Countries = ShippingAndTaxDetailsFragment['countries'];

/** Those that are in the zone stand on top, where they are seen without scrolling. */
function chosenFirst(countries: Countries, chosen: ReadonlySet<string>): Countries {
  return [...countries.filter(({ code }) => chosen.has(code)), ...countries.filter(({ code }) => !chosen.has(code))];
}

interface ZoneFormProps {
  /** The zone to be changed; null for a new one. */
  zone: DeliveryZoneRowFragment | null;
  countries: Countries;
  onSaved: () => void;
  onCancel: () => void;
}

/** Everything about a delivery zone. */
export function ZoneForm({ zone, countries, onSaved, onCancel }: ZoneFormProps) {
  const [typed, setTyped] = useState(() => typedOf(zone));
  const [found, setFound] = useState<Record<string, string>>({});
  const [saveZone] = useSaveDeliveryZoneMutation();
  const { problems, refusal, saving, save } = useSaving();
  const [ordered] = useState(() => chosenFirst(countries, typed.countries));
  const wrong = { ...problems, ...found };
  const edit = (changes: Partial<Typed>) => setTyped({ ...typed, ...changes });
  const editRate = (at: number, changes: Partial<TypedRate>) =>
    edit({ rates: typed.rates.map((rate, place) => (place === at ? { ...rate, ...changes } : rate)) });

  function toggle(code: string) {
    const chosen = new Set(typed.countries);
    if (!chosen.delete(code)) chosen.add(code);
    edit({ countries: chosen });
  }

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const broken = unsendable(typed);
    setFound(broken);
    if (Object.keys(broken).length > 0 || saving) return;
    const byWeight = typed.basis === 'WEIGHT';
    const input = {
      name: typed.name,
      isRestOfWorld: typed.isRestOfWorld,
      countries: typed.isRestOfWorld ? [] : [...typed.countries],
      basis: typed.basis,
      rates: typed.rates.map(({ from, price }) => ({
        grams: byWeight ? parseWhole(from).value : null,
        minimum: byWeight ? null : parseAmount(from).value,
        price: parseAmount(price).value ?? price,
      })),
      freeFrom: parseAmount(typed.freeFrom).value,
      minDays: parseWhole(typed.minDays).value,
      maxDays: parseWhole(typed.maxDays).value,
    };
    const saved = await save(saveZone({ variables: { id: zone?.id ?? null, zone: input } }), (data) => data.saveDeliveryZone);
    if (saved) onSaved();
  }

  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      <Field
        label="Name"
        value={typed.name}
        maxLength={60}
        error={wrong['name']}
        note="Shoppers read it beside the price."
        onChange={({ target }) => edit({ name: target.value })}
      />
      <Checkbox checked={typed.isRestOfWorld} onChange={() => edit({ isRestOfWorld: !typed.isRestOfWorld })}>
        The rest of the world
      </Checkbox>
      {!typed.isRestOfWorld && (
        <fieldset>
          <legend>Countries, {typed.countries.size} chosen</legend>
          <div className={styles.countries}>
            {ordered.map(({ code, name }) => (
              <Checkbox key={code} checked={typed.countries.has(code)} onChange={() => toggle(code)}>
                {name}
              </Checkbox>
            ))}
          </div>
        </fieldset>
      )}
      {wrong['countries'] && <ErrorNote>{wrong['countries']}</ErrorNote>}
      <Segments label="The price goes by" options={bases} chosen={typed.basis} onChoose={(basis) => edit({ basis })} />
      <fieldset className={styles.rates}>
        <legend className="visually-hidden">Rates</legend>
        {typed.rates.map((rate, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- rates have no name but their place.
          <div key={at} className={styles.rate}>
            <Field
              label={typed.basis === 'WEIGHT' ? 'From grams' : 'From goods for'}
              inputMode="decimal"
              start={typed.basis === 'WEIGHT' ? undefined : '$'}
              value={rate.from}
              onChange={({ target }) => editRate(at, { from: target.value })}
            />
            <Field
              label="Delivery costs"
              inputMode="decimal"
              start="$"
              value={rate.price}
              onChange={({ target }) => editRate(at, { price: target.value })}
            />
            <Button
              small
              aria-label={`Remove rate ${at + 1}`}
              disabled={typed.rates.length === 1}
              onClick={() => edit({ rates: typed.rates.filter((_, place) => place !== at) })}
            >
              Remove
            </Button>
          </div>
        ))}
        {wrong['rates'] && <ErrorNote>{wrong['rates']}</ErrorNote>}
        <button
          type="button"
          className="link small"
          onClick={() => edit({ rates: [...typed.rates, { from: '', price: '' }] })}
        >
          One more rate
        </button>
      </fieldset>
      <Field
        label="Free from goods for"
        inputMode="decimal"
        start="$"
        value={typed.freeFrom}
        error={wrong['freeFrom']}
        note="After any discount. Empty: never free."
        onChange={({ target }) => edit({ freeFrom: target.value })}
      />
      <div className={styles.pair}>
        <Field
          label="Working days at least"
          inputMode="numeric"
          value={typed.minDays}
          onChange={({ target }) => edit({ minDays: target.value })}
        />
        <Field
          label="Working days at most"
          inputMode="numeric"
          value={typed.maxDays}
          error={wrong['maxDays']}
          onChange={({ target }) => edit({ maxDays: target.value })}
        />
      </div>
      <FormEnd saving={saving} refusal={refusal} onCancel={onCancel} />
    </form>
  );
}
