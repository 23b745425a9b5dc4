import { type SubmitEvent, useState } from 'react';
import { parseWhole } from '~/ui/amount';
import { Checkbox } from '~/ui/choice';
import { Field, Select, TextArea } from '~/ui/field';
import { toast } from '~/ui/toast';
import { FormEnd } from './form-end';
import { type SettingsWholeFragment, useChangeSettingsMutation } from './pricing.generated';
import styles from './pricing.module.css';
import { texts } from './texts';
import { useSaving } from './use-saving';

function typedOf(settings: SettingsWholeFragment) {
  return {
    seller: settings.seller,
    contactEmail: settings.contactEmail,
    cancelMinutes: String(settings.cancelMinutes),
    returnDays: String(settings.returnDays),
    lowStockThreshold: String(settings.lowStockThreshold),
    timeZone: settings.timeZone,
    pricesIncludeTax: settings.pricesIncludeTax,
  };
}

type Typed = ReturnType<typeof typedOf>;
const numbers = ['cancelMinutes', 'returnDays', 'lowStockThreshold'] as const;

/** What changed, as the server takes it; an emptied field goes back to what the environment says. */
function changes(typed: Typed, saved: SettingsWholeFragment) {
  const before = typedOf(saved);
  const changed = (name: keyof Typed) => typed[name] !== before[name];
  return {
    ...(changed('seller') && { seller: typed.seller || null }),
    ...(changed('contactEmail') && { contactEmail: typed.contactEmail || null }),
    ...(changed('timeZone') && { timeZone: typed.timeZone }),
    ...(changed('pricesIncludeTax') && { pricesIncludeTax: typed.pricesIncludeTax }),
    ...Object.fromEntries(numbers.filter(changed).map((name) => [name, parseWhole(typed[name]).value])),
  };
}

interface SettingsFormProps {
  settings: SettingsWholeFragment;
  /** Only the owner may change them. */
  allowed: boolean;
}

/** Everything that an owner decides while the shop runs. */
export function SettingsForm({ settings, allowed }: SettingsFormProps) {
  const [typed, setTyped] = useState(() => typedOf(settings));
  const [found, setFound] = useState<Record<string, string>>({});
  const [changeSettings] = useChangeSettingsMutation();
  const { problems, refusal, saving, save } = useSaving();
  const wrong: Record<string, string> = { ...problems, ...found };
  const edit = (changed: Partial<Typed>) => setTyped({ ...typed, ...changed });

  const note = (name: keyof Typed, about: string) =>
    `${about} ${settings.decided.includes(name) ? 'Decided here; empty it to go back to the environment.' : `${texts.fromEnvironment}.`}`;

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const broken = Object.fromEntries(
      numbers.filter((name) => parseWhole(typed[name]).invalid).map((name) => [name, 'A whole number']),
    );
    setFound(broken);
    if (Object.keys(broken).length > 0 || saving) return;
    const sent = changeSettings({ variables: { settings: changes(typed, settings) } });
    const saved = await save(sent, (data) => data.changeSettings);
    if (saved?.__typename !== 'ShopSettings') return;
    setTyped(typedOf(saved));
    toast.success(texts.settingsSaved);
  }

  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      <TextArea
        label="Seller"
        rows={4}
        disabled={!allowed}
        value={typed.seller}
        error={wrong['seller']}
        note={note('seller', 'Name and address on invoices and packing slips, line by line.')}
        onChange={({ target }) => edit({ seller: target.value })}
      />
      <Field
        label="Contact e-mail"
        type="email"
        disabled={!allowed}
        value={typed.contactEmail}
        error={wrong['contactEmail']}
        note={note('contactEmail', 'Where shoppers reach you; the contact page names it.')}
        onChange={({ target }) => edit({ contactEmail: target.value })}
      />
      <div className={styles.pair}>
        <Field
          label="Minutes to cancel"
          inputMode="numeric"
          disabled={!allowed}
          value={typed.cancelMinutes}
          error={wrong['cancelMinutes']}
          note={note('cancelMinutes', 'How long after payment a shopper may call an order off.')}
          onChange={({ target }) => edit({ cancelMinutes: target.value })}
        />
        <Field
          label="Days to return"
          inputMode="numeric"
          disabled={!allowed}
          value={typed.returnDays}
          error={wrong['returnDays']}
          note={note('returnDays', 'How long a shopper may ask to send pieces back.')}
          onChange={({ target }) => edit({ returnDays: target.value })}
        />
        <Field
          label="Low stock at"
          inputMode="numeric"
          disabled={!allowed}
          value={typed.lowStockThreshold}
          error={wrong['lowStockThreshold']}
          note={note('lowStockThreshold', 'At so few pieces or fewer an item is on the low-stock list.')}
          onChange={({ target }) => edit({ lowStockThreshold: target.value })}
        />
        <Select
          label="Time zone"
          disabled={!allowed}
          value={typed.timeZone}
          error={wrong['timeZone']}
          note={note('timeZone', 'A day of the reports begins at its midnight.')}
          onChange={({ target }) => edit({ timeZone: target.value })}
        >
          {settings.timeZones.map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </Select>
      </div>
      <div>
        <Checkbox
          disabled={!allowed}
          checked={typed.pricesIncludeTax}
          aria-describedby="prices-include-tax"
          onChange={() => edit({ pricesIncludeTax: !typed.pricesIncludeTax })}
        >
          Prices have the tax in them
        </Checkbox>
        <p id="prices-include-tax" className={styles.note}>
          Otherwise checkout adds it. Orders that were placed stay as they are.
        </p>
      </div>
      <FormEnd saving={saving} refusal={refusal} disabled={!allowed} />
    </form>
  );
}
