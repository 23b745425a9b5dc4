import { useSentForm } from '~/graphql/use-sent-form';
import { Checkbox } from '~/ui/choice';
import { Field, Select, TextArea } from '~/ui/field';
import { FormEnd } from '~/ui/form-end';
import { type SettingsWholeFragment, useChangeSettingsMutation } from './pricing.generated';
import styles from './pricing.module.css';
import { settingsChanges, settingsRules, settingsTyped } from './rules';
import { texts } from './texts';

interface SettingsFormProps {
  settings: SettingsWholeFragment;
  /** Only the owner may change them. */
  allowed: boolean;
}

const numbers = [
  {
    name: 'cancelMinutes',
    label: 'Minutes to cancel',
    about: 'How long after payment a shopper may call an order off.',
  },
  { name: 'returnDays', label: 'Days to return', about: 'How long a shopper may ask to send pieces back.' },
  {
    name: 'lowStockThreshold',
    label: 'Low stock at',
    about: 'At so few pieces or fewer an item is on the low-stock list.',
  },
] as const;

function useSettingsForm({ settings, allowed }: SettingsFormProps) {
  const [changeSettings] = useChangeSettingsMutation();
  const form = useSentForm({
    rules: settingsRules,
    defaultValues: settingsTyped(settings),
    send: (wanted) => changeSettings({ variables: { settings: settingsChanges(wanted, settings) } }),
    done: 'ShopSettings',
    onDone: (saved, { reset }) => reset(settingsTyped(saved)),
    success: texts.settingsSaved,
    otherwise: texts.notSaved,
  });

  /** A field that says what it is about, and who has decided it. */
  function decided(name: keyof ReturnType<typeof settingsTyped>, about: string) {
    const by = settings.decided.includes(name)
      ? 'Decided here; empty it to go back to the environment.'
      : `${texts.fromEnvironment}.`;
    return { ...form.field(name), disabled: !allowed, note: `${about} ${by}` };
  }

  return { ...form, decided };
}

/** Everything that an owner decides while the shop runs. */
export function SettingsForm({ settings, allowed }: SettingsFormProps) {
  const { decided, isSending, onSubmit, refusal, register } = useSettingsForm({ settings, allowed });

  return (
    <form className={styles.form} noValidate onSubmit={onSubmit}>
      <TextArea
        label="Seller"
        rows={4}
        {...decided('seller', 'Name and address on invoices and packing slips, line by line.')}
      />
      <Field
        label="Contact e-mail"
        type="email"
        {...decided('contactEmail', 'Where shoppers reach you; the contact page names it.')}
      />
      <div className={styles.pair}>
        {numbers.map(({ name, label, about }) => (
          <Field key={name} label={label} inputMode="numeric" {...decided(name, about)} />
        ))}
        <Select label="Time zone" {...decided('timeZone', 'Days of reports, filters, invoices and files are its.')}>
          {settings.timeZones.map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </Select>
      </div>
      <div>
        <Checkbox {...register('pricesIncludeTax')} disabled={!allowed} aria-describedby="prices-include-tax">
          Prices have the tax in them
        </Checkbox>
        <p id="prices-include-tax" className={styles.note}>
          Otherwise checkout adds it. Orders that were placed stay as they are.
        </p>
      </div>
      <FormEnd refusal={refusal} submit={texts.save} disabled={!allowed} working={isSending && texts.saving} />
    </form>
  );
}
