import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { settled } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { PasswordField } from '~/ui/field';
import { Link } from '~/ui/link';
import { useDenyEmailMutation } from './auth.generated';
import styles from './form.module.css';
import { texts } from './texts';

interface ConfirmAccountProps {
  token: string;
  hasPassword: boolean;
  hint: string;
  /** Resolves with what was wrong, or undefined. */
  verify: (password: string) => Promise<string | undefined>;
  onDenied: () => void;
}

/** For the receiver of a confirmation mail in a browser that the account does not know: mine, or not mine. */
export function ConfirmAccount({ token, hasPassword, hint, verify, onDenied }: ConfirmAccountProps) {
  return (
    <div className={styles.form}>
      <p>{hint}</p>
      {hasPassword ? (
        <PasswordProof verify={verify} />
      ) : (
        <Link to="/signin" className="link">
          Sign in
        </Link>
      )}
      <Denial token={token} onDenied={onDenied} />
    </div>
  );
}

function PasswordProof({ verify }: Pick<ConfirmAccountProps, 'verify'>) {
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { password: '' } });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async ({ password }) => {
    const message = await verify(password);
    if (message) setError('password', { message });
  });

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <PasswordField
        {...register('password', { required: texts.passwordToConfirm })}
        label="Password"
        autoComplete="current-password"
        error={errors.password?.message}
      />
      <Button kind="primary" wide centered type="submit" working={isSubmitting && 'Confirming ...'}>
        {texts.confirmAddress}
      </Button>
    </form>
  );
}

function Denial({ token, onDenied }: Pick<ConfirmAccountProps, 'token' | 'onDenied'>) {
  const [denyEmail, { loading }] = useDenyEmailMutation();
  const [refused, setRefused] = useState<string>();

  async function deny() {
    const { data, said } = await settled(denyEmail({ variables: { token } }));
    if (data?.denyEmail.__typename === 'Success') onDenied();
    else setRefused(data?.denyEmail.message ?? said ?? texts.denialFailed);
  }

  return (
    <>
      <p className="small soft">{texts.notMeHint}</p>
      {refused && <ErrorNote>{refused}</ErrorNote>}
      <Button wide centered working={loading && 'Noting it ...'} onClick={() => void deny()}>
        {texts.notMe}
      </Button>
    </>
  );
}
