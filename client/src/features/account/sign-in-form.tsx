import { useSentForm } from '~/graphql/use-sent-form';
import type { SessionUserFragment } from '~/session/session.generated';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { Field, PasswordField } from '~/ui/field';
import { ArrowRightIcon } from '~/ui/icons';
import { Link } from '~/ui/link';
import { toast } from '~/ui/toast';
import { type SecondFactorNeededFragment, useSignInMutation } from './auth.generated';
import styles from './form.module.css';
import { signInRules } from './rules';
import { texts } from './texts';

interface SignInFormProps {
  /** Resolves when the visitor has been led on; the button works until then. */
  onSignedIn: (viewer: SessionUserFragment) => Promise<void>;
  /** The password was right, and the account has a second factor. */
  onSecondFactor: (needed: SecondFactorNeededFragment) => void;
}

export function SignInForm({ onSignedIn, onSecondFactor }: SignInFormProps) {
  const [signIn] = useSignInMutation();
  const { field, isSending, onSubmit, refusal } = useSentForm({
    rules: signInRules,
    defaultValues: { email: '', password: '' },
    send: (variables) => signIn({ variables }),
    done: ['SignedIn', 'SecondFactorRequired'],
    onDone(result) {
      if (result.__typename === 'SecondFactorRequired') return onSecondFactor(result);
      toast.success(texts.welcomeBack);
      return onSignedIn(result.viewer);
    },
    otherwise: texts.invalidCredentials,
    loud: true,
  });

  return (
    <form method="post" className={styles.form} onSubmit={onSubmit} noValidate>
      <Field {...field('email')} label="E-mail" type="email" autoComplete="username" />
      <PasswordField {...field('password')} label="Password" autoComplete="current-password" />
      <Link to="/forgot-password" className={`link ${styles.aside}`}>
        Forgot password?
      </Link>
      {refusal && <ErrorNote>{refusal}</ErrorNote>}
      <Button kind="primary" wide type="submit" working={isSending && 'Signing in ...'} end={<ArrowRightIcon />}>
        Continue
      </Button>
    </form>
  );
}
