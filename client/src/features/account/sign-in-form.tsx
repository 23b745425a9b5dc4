import { valibotResolver } from '@hookform/resolvers/valibot';
import { useForm } from 'react-hook-form';
import { settled } from '~/graphql/settled';
import type { SessionUserFragment } from '~/session/session.generated';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { Field, PasswordField } from '~/ui/field';
import { ArrowRightIcon } from '~/ui/icons';
import { Link } from '~/ui/link';
import { toast } from '~/ui/toast';
import { type SecondFactorNeededFragment, useSignInMutation } from './auth.generated';
import styles from './form.module.css';
import { type SignInValues, signInRules } from './rules';
import { texts } from './texts';

interface SignInFormProps {
  /** Resolves when the visitor has been led on; the button works until then. */
  onSignedIn: (viewer: SessionUserFragment) => Promise<void>;
  /** The password was right, and the account has a second factor. */
  onSecondFactor: (needed: SecondFactorNeededFragment) => void;
}

export function SignInForm({ onSignedIn, onSecondFactor }: SignInFormProps) {
  const [signIn] = useSignInMutation();
  const { register, handleSubmit, setError, formState } = useForm<SignInValues>({
    resolver: valibotResolver(signInRules),
    defaultValues: { email: '', password: '' },
  });
  const { errors, isSubmitting } = formState;

  function refuse(message: string) {
    setError('root', { message });
    toast.error(message);
  }

  const submit = handleSubmit(async (values) => {
    const { data, said } = await settled(signIn({ variables: values }));
    const result = data?.signIn;
    if (result?.__typename === 'SecondFactorRequired') return onSecondFactor(result);
    if (result?.__typename !== 'SignedIn') return refuse(result?.message ?? said ?? texts.invalidCredentials);
    toast.success(texts.welcomeBack);
    return onSignedIn(result.viewer);
  });

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <Field {...register('email')} label="E-mail" type="email" autoComplete="username" error={errors.email?.message} />
      <PasswordField
        {...register('password')}
        label="Password"
        autoComplete="current-password"
        error={errors.password?.message}
      />
      <Link to="/forgot-password" className={`link ${styles.aside}`}>
        Forgot password?
      </Link>
      {errors.root?.message && <ErrorNote>{errors.root.message}</ErrorNote>}
      <Button kind="primary" wide type="submit" working={isSubmitting && 'Signing in ...'} end={<ArrowRightIcon />}>
        Continue
      </Button>
    </form>
  );
}
