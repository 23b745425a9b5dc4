import { useSentForm } from '~/graphql/use-sent-form';
import { Checkbox } from '~/ui/choice';
import { Field, Select, TextArea } from '~/ui/field';
import { FormEnd } from '~/ui/form-end';
import { type SettingsWholeFragment, useUpdateSettingsMutation } from './pricing.generated';
import styles from './pricing.module.css';
import {
  settingFields,
  settingNames,
  type SettingName,
  settingsChanges,
  settingsRules,
  settingsTyped,
} from './settings-fields';
import { texts } from './texts';

interface SettingsFormProps {
  settings: SettingsWholeFragment;
  /** Only the owner may change them. */
  allowed: boolean;
}

function useSettingsForm({ settings, allowed }: SettingsFormProps) {
  const [updateSettings] = useUpdateSettingsMutation();
  const form = useSentForm({
    rules: settingsRules,
    defaultValues: settingsTyped(settings),
    send: (typed) =>
      updateSettings({
        variables: { input: settingsChanges(typed, settings) },
      }),
    done: 'ShopSettings',
    onDone: (saved, { reset }) => reset(settingsTyped(saved)),
    success: texts.settingsSaved,
    otherwise: texts.notSaved,
  });

  /** A field that says what it is about, and who has decided it. */
  function decided(name: SettingName) {
    const by = settings.decided.includes(name)
      ? 'Decided here; empty it to go back to the environment.'
      : `${texts.fromEnvironment}.`;
    const { label, about } = settingFields[name];
    return {
      ...form.field(name),
      label,
      disabled: !allowed,
      note: `${about} ${by}`,
    };
  }

  return { ...form, decided };
}

const withControl = (...controls: readonly string[]) =>
  settingNames.filter((name) => controls.includes(settingFields[name].control));

/** Everything that an owner decides while the shop runs. */
export function SettingsForm({ settings, allowed }: SettingsFormProps) {
  const { decided, isSending, onSubmit, refusal, register } = useSettingsForm({
    settings,
    allowed,
  });

  return (
    <form className={styles.form} noValidate onSubmit={onSubmit}>
      {withControl('lines').map((name) => (
        <TextArea key={name} rows={4} {...decided(name)} />
      ))}
      {withControl('text').map((name) => (
        <Field key={name} {...decided(name)} />
      ))}
      {withControl('email').map((name) => (
        <Field key={name} type="email" {...decided(name)} />
      ))}
      <div className={styles.pair}>
        {withControl('number').map((name) => (
          <Field key={name} inputMode="numeric" {...decided(name)} />
        ))}
        {withControl('zone').map((name) => (
          <Select key={name} {...decided(name)}>
            {settings.timeZones.map((zone) => (
              <option key={zone} value={zone}>
                {zone.replaceAll('_', ' ')}
              </option>
            ))}
          </Select>
        ))}
      </div>
      {withControl('checkbox').map((name) => (
        <div key={name}>
          <Checkbox {...register(name)} disabled={!allowed} aria-describedby={`about-${name}`}>
            {settingFields[name].label}
          </Checkbox>
          <p id={`about-${name}`} className={styles.note}>
            {settingFields[name].about}
          </p>
        </div>
      ))}
      <FormEnd refusal={refusal} submit={texts.save} disabled={!allowed} working={isSending && texts.saving} />
    </form>
  );
}
