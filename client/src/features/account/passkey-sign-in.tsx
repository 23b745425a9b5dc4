import { toResult } from '~/graphql/settled';
import type { SessionUserFragment } from '~/session/session.generated';
import { Button } from '~/ui/button';
import { toast } from '~/ui/toast';
import { useState } from 'react';
import { useSignInWithPasskeyMutation, useStartPasskeyMutation } from './passkey.generated';
import { texts } from './security-texts';
import { texts as words } from './texts';
import { passkeyFor } from './passkey-answer';

/** A whole sign-in with one press; the browser offers the passkeys that it has for the shop. */
export default function PasskeySignIn({ onSignedIn }: { onSignedIn: (viewer: SessionUserFragment) => Promise<void> }) {
  const [start] = useStartPasskeyMutation();
  const [signIn] = useSignInWithPasskeyMutation();
  const [working, setWorking] = useState(false);

  async function enter() {
    const { data: begun, message } = await toResult(start());
    const request = begun?.startPasskey;
    if (request?.__typename !== 'PasskeyRequest')
      return toast.error(request?.message ?? message ?? texts.passkeyFailed);
    const answer = await passkeyFor(request.options);
    if (!answer.credential) return toast.error(answer.message ?? texts.passkeyFailed);

    const variables = { challenge: request.challenge, credential: answer.credential };
    const { data, message: refused } = await toResult(signIn({ variables }));
    const result = data?.signInWithPasskey;
    if (result?.__typename !== 'SignedIn') return toast.error(result?.message ?? refused ?? texts.passkeyFailed);
    toast.success(words.welcomeBack);
    return onSignedIn(result.viewer);
  }

  return (
    <Button
      wide
      centered
      working={working && 'Signing in ...'}
      onClick={() => {
        setWorking(true);
        void enter().finally(() => setWorking(false));
      }}
    >
      {texts.withPasskey}
    </Button>
  );
}
