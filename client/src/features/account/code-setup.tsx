import { useForm } from 'react-hook-form';
import { settled } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { Field } from '~/ui/field';
import { toast } from '~/ui/toast';
import { type StartCodeSetupMutation, useTurnCodesOnMutation } from './security.generated';
import { texts } from './security-texts';
import styles from './security.module.css';

interface CodeSetupProps {
  setup: StartCodeSetupMutation['startCodeSetup'];
  onDone: (recoveryCodes: readonly string[] | null) => void;
  onClose: () => void;
}

/** The secret for an authenticator app, and a code of it that shows that the app has it. */
export function CodeSetup({ setup, onDone, onClose }: CodeSetupProps) {
  const [turnOn] = useTurnCodesOnMutation();
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { code: '' } });

  const submit = handleSubmit(async ({ code }) => {
    const { data, said } = await settled(turnOn({ variables: { code } }));
    const result = data?.turnCodesOn;
    if (result?.__typename !== 'SecondFactorsChanged') {
      return setError('code', { message: result?.message ?? said ?? texts.changeFailed }, { shouldFocus: true });
    }
    toast.success(texts.turnedOn);
    return onDone(result.recoveryCodes);
  });

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <p>{texts.scan}</p>
      <img className={styles.qr} src={setup.qrCode} alt="QR code of the key" width="192" height="192" />
      <p>
        {texts.key}:{' '}
        <a className={`link ${styles.key}`} href={setup.uri}>
          {setup.secret}
        </a>
      </p>
      <Field
        {...register('code', { required: texts.codeMissing })}
        label={texts.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        error={formState.errors.code?.message}
      />
      <div className={styles.actions}>
        <Button small onClick={onClose}>
          Cancel
        </Button>
        <Button small kind="primary" type="submit" working={formState.isSubmitting && texts.confirming}>
          {texts.turnOn}
        </Button>
      </div>
    </form>
  );
}
