import { useEffect, useRef, useState } from 'react';
import { settled } from '~/graphql/settled';
import { ButtonLink } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { ArrowRightIcon } from '~/ui/icons';
import { Waiting } from '~/ui/ring';
import { useVerifyEmailMutation } from './auth.generated';
import { texts } from './texts';

type Outcome = 'waiting' | 'verified' | { refused: string };

/** Hands the mailed token over, once. */
export function EmailVerification({ token }: { token: string }) {
  const [verifyEmail] = useVerifyEmailMutation();
  const [outcome, setOutcome] = useState<Outcome>('waiting');
  const asked = useRef(false);

  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    void settled(verifyEmail({ variables: { token } })).then(({ data, said }) => {
      const result = data?.verifyEmail;
      if (result?.__typename === 'Done') setOutcome('verified');
      else setOutcome({ refused: result?.message ?? said ?? texts.verificationFailed });
    });
  }, [verifyEmail, token]);

  if (outcome === 'waiting') return <Waiting>Verifying your e-mail</Waiting>;
  return (
    <>
      {outcome === 'verified' ? (
        <p role="status">Your e-mail is verified.</p>
      ) : (
        <ErrorNote>{outcome.refused}</ErrorNote>
      )}
      <ButtonLink kind="primary" wide to="/" end={<ArrowRightIcon />}>
        {texts.continueShopping}
      </ButtonLink>
    </>
  );
}
