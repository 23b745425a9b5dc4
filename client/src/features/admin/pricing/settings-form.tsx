import { useSentForm } from '~/graphql/use-sent-form';
import { Checkbox } from '~/ui/choice';
import { Field, Select, TextArea } from '~/ui/field';
import { Fold } from '~/ui/fold';
import { FormEnd } from '~/ui/form-end';
import { type SettingsWholeFragment, useUpdateSettingsMutation } from './pricing.generated';
import styles from './pricing.module.css';
import {
  settingFields,
  settingGroups,
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

type Decided = ReturnType<ReturnType<typeof useSettingsForm>['decided']>;

/** One setting's field. */
function Setting({ name, zones, ...field }: Decided & { name: SettingName; zones: readonly string[] }) {
  switch (settingFields[name].control) {
    case 'lines':
      return <TextArea rows={4} name={name} {...field} />;
    case 'zone':
      return (
        <Select name={name} {...field}>
          {zones.map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </Select>
      );
    case 'checkbox': {
      const { label, note, error: _, ...input } = field;
      return (
        <div>
          <Checkbox name={name} {...input} aria-describedby={`about-${name}`}>
            {label}
          </Checkbox>
          <p id={`about-${name}`} className={styles.note}>
            {note}
          </p>
        </div>
      );
    }
    case 'number':
      return <Field name={name} inputMode="numeric" {...field} />;
    case 'email':
      return <Field name={name} type="email" {...field} />;
    case 'text':
      return <Field name={name} {...field} />;
  }
}

/** Everything that an owner decides while the shop runs. */
export function SettingsForm({ settings, allowed }: SettingsFormProps) {
  const { decided, errorOf, isSending, onSubmit, refusal } = useSettingsForm({ settings, allowed });

  return (
    <form className={styles.form} noValidate onSubmit={onSubmit}>
      {Object.entries(settingGroups).map(([group, title]) => {
        const names = settingNames.filter((name) => settingFields[name].group === group);
        return (
          <Fold
            key={group}
            title={title}
            about={names.map((name) => settingFields[name].label).join(', ')}
            broken={names.some((name) => errorOf(name) !== undefined)}
          >
            <div className={styles.form}>
              {names.map((name) => (
                <Setting key={name} zones={settings.timeZones} {...decided(name)} name={name} />
              ))}
            </div>
          </Fold>
        );
      })}
      <FormEnd refusal={refusal} submit={texts.save} disabled={!allowed} working={isSending && texts.saving} />
    </form>
  );
}
