import { useState } from 'react';
import { toResult } from '~/graphql/settled';
import { useUser } from '~/session/use-session';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { Link } from '~/ui/link';
import { useSendEmailVerificationMutation } from './auth.generated';
import { texts } from './texts';

/** Mails the signed-in account another link that proves its address; leads a visitor to the sign-in first. */
export function NewVerificationLink() {
  const user = useUser();
  const [send, { loading }] = useSendEmailVerificationMutation();
  const [outcome, setOutcome] = useState<{ isSent: boolean; refusal?: string }>({ isSent: false });

  async function ask() {
    const { data, message } = await toResult(send());
    const result = data?.sendEmailVerification;
    if (result?.__typename === 'Success') setOutcome({ isSent: true });
    else setOutcome({ isSent: false, refusal: result?.message ?? message ?? texts.newLinkFailed });
  }

  if (!user)
    return (
      <p>
        <Link to="/signin?redirect=/account" className="link">
          {texts.signInForLink}
        </Link>
      </p>
    );
  if (outcome.isSent) return <p role="status">{texts.newLinkSent}</p>;
  return (
    <>
      {outcome.refusal && <ErrorNote>{outcome.refusal}</ErrorNote>}
      <Button small working={loading && 'Sending ...'} onClick={() => void ask()}>
        {texts.newLink}
      </Button>
    </>
  );
}
