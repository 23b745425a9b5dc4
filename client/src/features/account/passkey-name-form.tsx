import { useForm } from 'react-hook-form';
import { Button } from '~/ui/button';
import { Field } from '~/ui/field';
import { texts } from './security-texts';
import styles from './security.module.css';

interface PasskeyNameFormProps {
  initial: string;
  submit: string;
  /** Answers what was wrong, if anything was. */
  onSubmit: (name: string) => Promise<string | undefined>;
  onClose: () => void;
}

/** What the person calls a passkey, new or old. */
export function PasskeyNameForm({ initial, submit, onSubmit, onClose }: PasskeyNameFormProps) {
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { name: initial } });
  const send = handleSubmit(async ({ name }) => {
    const wrong = await onSubmit(name);
    if (wrong) setError('name', { message: wrong }, { shouldFocus: true });
  });
  return (
    <form className={styles.form} onSubmit={(event) => void send(event)} noValidate>
      <Field
        {...register('name')}
        label={texts.passkeyName}
        maxLength={60}
        note={texts.passkeyNameNote}
        error={formState.errors.name?.message}
      />
      <div className={styles.actions}>
        <Button small onClick={onClose}>
          Cancel
        </Button>
        <Button small kind="primary" type="submit" working={formState.isSubmitting && 'Working ...'}>
          {submit}
        </Button>
      </div>
    </form>
  );
}
