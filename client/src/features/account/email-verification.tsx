import { useEffect, useRef, useState } from 'react';
import { toResult } from '~/graphql/settled';
import { ButtonLink } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { ArrowRightIcon } from '~/ui/icons';
import { Waiting } from '~/ui/ring';
import { useVerifyEmailMutation, type VerifyEmailMutation } from './auth.generated';
import { ConfirmAccount } from './confirm-account';
import { NewVerificationLink } from './new-verification-link';
import { texts } from './texts';

type Outcome =
  | 'waiting'
  | 'verified'
  | 'denied'
  | { hasPassword: boolean; hint: string }
  | { refused: string; isExpired: boolean };

function outcomeOf(answer: VerifyEmailMutation['verifyEmail']): Outcome {
  if (answer.__typename === 'Success') return 'verified';
  if (answer.__typename === 'ProofRequired') return { hasPassword: answer.hasPassword, hint: answer.message };
  return { refused: answer.message, isExpired: answer.__typename === 'LinkExpired' };
}

/** Hands the mailed token over, once; asks for a proof where the account has never been signed in. */
export function EmailVerification({ token }: { token: string }) {
  const [verifyEmail] = useVerifyEmailMutation();
  const [outcome, setOutcome] = useState<Outcome>('waiting');
  const isSent = useRef(false);

  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    void toResult(verifyEmail({ variables: { token, password: null } })).then(({ data, message }) =>
      setOutcome(
        data ? outcomeOf(data.verifyEmail) : { refused: message ?? texts.verificationFailed, isExpired: false },
      ),
    );
  }, [verifyEmail, token]);

  if (outcome === 'waiting') return <Waiting>Verifying your e-mail</Waiting>;
  if (typeof outcome === 'object' && 'hint' in outcome)
    return (
      <ConfirmAccount
        token={token}
        {...outcome}
        onAnswer={(answer) => setOutcome(outcomeOf(answer))}
        onDenied={() => setOutcome('denied')}
      />
    );
  return (
    <>
      {typeof outcome === 'object' ? (
        <>
          <ErrorNote>{outcome.refused}</ErrorNote>
          {outcome.isExpired && <NewVerificationLink />}
        </>
      ) : (
        <p role="status">{outcome === 'verified' ? texts.emailVerified : texts.emailDenied}</p>
      )}
      <ButtonLink kind="primary" wide to="/" end={<ArrowRightIcon />}>
        {texts.continueShopping}
      </ButtonLink>
    </>
  );
}
