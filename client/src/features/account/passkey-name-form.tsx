import type { SubmitEvent } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { Field } from '~/ui/field';
import { texts } from './security-texts';
import styles from './security.module.css';

interface PasskeyNameFormProps {
  form: {
    field: (name: 'name') => UseFormRegisterReturn & { error: string | undefined };
    refusal: string | undefined;
    isSending: boolean;
    onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  };
  submit: string;
  onClose: () => void;
}

/** What the person calls a passkey, new or old. */
export function PasskeyNameForm({ form, submit, onClose }: PasskeyNameFormProps) {
  return (
    <form className={styles.form} onSubmit={form.onSubmit} noValidate>
      <Field {...form.field('name')} label={texts.passkeyName} maxLength={60} note={texts.passkeyNameNote} />
      {form.refusal && <ErrorNote>{form.refusal}</ErrorNote>}
      <div className={styles.actions}>
        <Button small onClick={onClose}>
          Cancel
        </Button>
        <Button small kind="primary" type="submit" working={form.isSending && 'Working ...'}>
          {submit}
        </Button>
      </div>
    </form>
  );
}
