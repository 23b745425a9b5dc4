import { valibotResolver } from '@hookform/resolvers/valibot';
import { useForm } from 'react-hook-form';
import { settled } from '~/graphql/settled';
import type { SessionUserFragment } from '~/session/session.generated';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { Field, PasswordField } from '~/ui/field';
import { ArrowRightIcon } from '~/ui/icons';
import { toast } from '~/ui/toast';
import { type SignUpMutation, useSignUpMutation } from './auth.generated';
import styles from './form.module.css';
import { type SignUpValues, signUpRules } from './rules';
import { texts } from './texts';

type Refusal = Exclude<SignUpMutation['signUp'], { __typename: 'SignedIn' }>;

const fields = ['name', 'email', 'password'] as const;

function fieldNamed(name: string | null): (typeof fields)[number] | 'root' {
  return fields.find((field) => field === name) ?? 'root';
}

/** Every complaint of the server with the field it belongs to, in the server's order. */
function complaintsOf(refusal: Refusal | undefined, said?: string) {
  if (!refusal) return [{ field: 'root' as const, message: said ?? texts.signUpFailed }];
  const complaints = refusal.__typename === 'InvalidInput' && refusal.errors.length > 0 ? refusal.errors : [refusal];
  return complaints.map(({ field, message }) => ({ field: fieldNamed(field), message }));
}

interface SignUpFormProps {
  /** Resolves when the new customer has been led on. */
  onSignedIn: (viewer: SessionUserFragment) => Promise<void>;
}

export function SignUpForm({ onSignedIn }: SignUpFormProps) {
  const [signUp] = useSignUpMutation();
  const { register, handleSubmit, setError, formState } = useForm<SignUpValues>({
    resolver: valibotResolver(signUpRules),
    defaultValues: { name: '', email: '', password: '' },
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async (values) => {
    const { data, said } = await settled(signUp({ variables: values }));
    const result = data?.signUp;
    if (result?.__typename === 'SignedIn') {
      toast.success(texts.welcomeNew);
      return onSignedIn(result.viewer);
    }
    for (const { field, message } of complaintsOf(result, said)) {
      setError(field, { message }, { shouldFocus: true });
      toast.error(message);
    }
    return undefined;
  });

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <Field {...register('name')} label={texts.fullName} autoComplete="name" error={errors.name?.message} />
      <Field {...register('email')} label="E-mail" type="email" autoComplete="email" error={errors.email?.message} />
      <PasswordField
        {...register('password')}
        label="Password"
        autoComplete="new-password"
        note="At least 8 characters: uppercase, lowercase, a number and one of !@#$%^&*, nothing else"
        error={errors.password?.message}
      />
      {errors.root?.message && <ErrorNote>{errors.root.message}</ErrorNote>}
      <Button
        kind="primary"
        wide
        type="submit"
        working={isSubmitting && 'Getting started ...'}
        end={<ArrowRightIcon />}
      >
        {texts.signUp}
      </Button>
    </form>
  );
}
