import { useCallback, useEffect, useRef, useState } from 'react';
import { settled } from '~/graphql/settled';
import { ButtonLink } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { ArrowRightIcon } from '~/ui/icons';
import { Waiting } from '~/ui/ring';
import { useVerifyEmailMutation } from './auth.generated';
import { ConfirmAccount } from './confirm-account';
import { texts } from './texts';

type Outcome = 'waiting' | 'verified' | 'denied' | { hasPassword: boolean; hint: string } | { refused: string };

/** Hands the mailed token over, once; asks for a proof where the account has never been signed in. */
export function EmailVerification({ token }: { token: string }) {
  const [verifyEmail] = useVerifyEmailMutation();
  const [outcome, setOutcome] = useState<Outcome>('waiting');
  const asked = useRef(false);

  /** Resolves with what was wrong with the password; undefined when that is not what is wrong. */
  const verify = useCallback(
    async (password?: string): Promise<string | undefined> => {
      const { data, said } = await settled(verifyEmail({ variables: { token, password: password ?? null } }));
      const result = data?.verifyEmail;
      if (result?.__typename === 'Success') setOutcome('verified');
      else if (result?.__typename === 'ProofRequired')
        setOutcome({ hasPassword: result.hasPassword, hint: result.message });
      else if (password !== undefined && result?.__typename !== 'LinkExpired')
        return result?.message ?? said ?? texts.verificationFailed;
      else setOutcome({ refused: result?.message ?? said ?? texts.verificationFailed });
      return undefined;
    },
    [verifyEmail, token],
  );

  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    void verify();
  }, [verify]);

  if (outcome === 'waiting') return <Waiting>Verifying your e-mail</Waiting>;
  if (typeof outcome === 'object' && 'hint' in outcome)
    return <ConfirmAccount token={token} {...outcome} verify={verify} onDenied={() => setOutcome('denied')} />;
  return (
    <>
      {typeof outcome === 'object' ? (
        <ErrorNote>{outcome.refused}</ErrorNote>
      ) : (
        <p role="status">{outcome === 'verified' ? texts.emailVerified : texts.emailDenied}</p>
      )}
      <ButtonLink kind="primary" wide to="/" end={<ArrowRightIcon />}>
        {texts.continueShopping}
      </ButtonLink>
    </>
  );
}
