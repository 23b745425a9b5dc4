import { useSentForm } from '~/graphql/use-sent-form';
import type { SessionUserFragment } from '~/session/session.generated';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { Field, PasswordField } from '~/ui/field';
import { ArrowRightIcon } from '~/ui/icons';
import { useSignUpMutation } from './auth.generated';
import styles from './form.module.css';
import { signUpRules } from './rules';
import { texts } from './texts';

interface SignUpFormProps {
  /** Resolves when the new customer has been led on. */
  onSignedIn: (viewer: SessionUserFragment) => Promise<void>;
}

export function SignUpForm({ onSignedIn }: SignUpFormProps) {
  const [signUp] = useSignUpMutation();
  const { field, isSending, onSubmit, refusal } = useSentForm({
    rules: signUpRules,
    defaultValues: { name: '', email: '', password: '' },
    send: (variables) => signUp({ variables }),
    done: 'SignedIn',
    onDone: ({ viewer }) => onSignedIn(viewer),
    success: texts.welcomeNew,
    otherwise: texts.signUpFailed,
    loud: true,
  });

  return (
    <form method="post" className={styles.form} onSubmit={onSubmit} noValidate>
      <Field {...field('name')} label={texts.fullName} autoComplete="name" />
      <Field {...field('email')} label="E-mail" type="email" autoComplete="email" />
      <PasswordField
        {...field('password')}
        label="Password"
        autoComplete="new-password"
        note="At least 8 characters: uppercase, lowercase, a number and one of !@#$%^&*, nothing else"
      />
      {refusal && <ErrorNote>{refusal}</ErrorNote>}
      <Button kind="primary" wide type="submit" working={isSending && 'Getting started ...'} end={<ArrowRightIcon />}>
        {texts.signUp}
      </Button>
    </form>
  );
}
