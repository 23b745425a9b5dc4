import { useSentForm } from '~/graphql/use-sent-form';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { Field } from '~/ui/field';
import { codeRules } from './code-field';
import { type StartCodeSetupMutation, useEnableCodesMutation } from './security.generated';
import { texts } from './security-texts';
import styles from './security.module.css';

export type CodeSetupParts = Extract<StartCodeSetupMutation['startCodeSetup'], { __typename: 'CodeSetup' }>;

interface CodeSetupProps {
  setup: CodeSetupParts;
  onDone: (recoveryCodes: readonly string[] | null) => void;
  onClose: () => void;
}

/** The secret for an authenticator app, and a code of it that shows that the app has it. */
export function CodeSetup({ setup, onDone, onClose }: CodeSetupProps) {
  const [turnOn] = useEnableCodesMutation();
  const { field, isSending, onSubmit, refusal } = useSentForm({
    rules: codeRules,
    defaultValues: { code: '' },
    send: (variables) => turnOn({ variables }),
    done: 'SecondFactorsChanged',
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
    success: texts.turnedOn,
    otherwise: texts.changeFailed,
    // What is refused as a whole is about the code.
    fields: { root: 'code' },
  });

  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <p>{texts.scan}</p>
      <img className={styles.qr} src={setup.qrCode} alt="QR code of the key" width="192" height="192" />
      <p>
        {texts.key}:{' '}
        <a className={`link ${styles.key}`} href={setup.uri}>
          {setup.secret}
        </a>
      </p>
      <Field {...field('code')} label={texts.code} inputMode="numeric" autoComplete="one-time-code" />
      {refusal && <ErrorNote>{refusal}</ErrorNote>}
      <div className={styles.actions}>
        <Button small onClick={onClose}>
          Cancel
        </Button>
        <Button small kind="primary" type="submit" working={isSending && texts.confirming}>
          {texts.turnOn}
        </Button>
      </div>
    </form>
  );
}
