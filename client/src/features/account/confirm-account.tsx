import { useState } from 'react';
import * as v from 'valibot';
import { toResult } from '~/graphql/settled';
import { useSentForm } from '~/graphql/use-sent-form';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { PasswordField } from '~/ui/field';
import { Link } from '~/ui/link';
import { useDenyEmailMutation, useVerifyEmailMutation, type VerifyEmailMutation } from './auth.generated';
import styles from './form.module.css';
import { texts } from './texts';

interface ConfirmAccountProps {
  token: string;
  hasPassword: boolean;
  hint: string;
  /** The password was right, or the link is of no use any more. */
  onAnswer: (answer: VerifyEmailMutation['verifyEmail']) => void;
  onDenied: () => void;
}

const rules = v.object({ password: v.pipe(v.string(), v.nonEmpty(texts.passwordToConfirm)) });

/** For the receiver of a confirmation mail in a browser new to the account: mine, or not mine. */
export function ConfirmAccount({ token, hasPassword, hint, onAnswer, onDenied }: ConfirmAccountProps) {
  return (
    <div className={styles.form}>
      <p>{hint}</p>
      {hasPassword ? (
        <PasswordProof token={token} onAnswer={onAnswer} />
      ) : (
        <Link to="/signin" className="link">
          Sign in
        </Link>
      )}
      <Denial token={token} onDenied={onDenied} />
    </div>
  );
}

function PasswordProof({ token, onAnswer }: Pick<ConfirmAccountProps, 'token' | 'onAnswer'>) {
  const [verifyEmail] = useVerifyEmailMutation();
  const { field, isSending, onSubmit } = useSentForm({
    rules,
    defaultValues: { password: '' },
    send: ({ password }) => verifyEmail({ variables: { token, password } }),
    done: ['Success', 'ProofRequired', 'LinkExpired'],
    onDone: onAnswer,
    otherwise: texts.verificationFailed,
    // What is refused as a whole is about the password.
    fields: { root: 'password' },
  });

  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <PasswordField {...field('password')} label="Password" autoComplete="current-password" />
      <Button kind="primary" wide centered type="submit" working={isSending && 'Confirming ...'}>
        {texts.confirmAddress}
      </Button>
    </form>
  );
}

function Denial({ token, onDenied }: Pick<ConfirmAccountProps, 'token' | 'onDenied'>) {
  const [denyEmail, { loading }] = useDenyEmailMutation();
  const [refused, setRefused] = useState<string>();

  async function deny() {
    const { data, message } = await toResult(denyEmail({ variables: { token } }));
    if (data?.denyEmail.__typename === 'Success') onDenied();
    else setRefused(data?.denyEmail.message ?? message ?? texts.denialFailed);
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
