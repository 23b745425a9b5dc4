import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { toResult } from '~/graphql/settled';
import type { SessionUserFragment } from '~/session/session.generated';
import { toast } from '~/ui/toast';
import { type SecondFactorNeededFragment, useSignInWithGoogleMutation } from './auth.generated';
import styles from './form.module.css';
import { loadGoogleIdentity } from './google-identity';
import { texts } from './texts';

/** Google draws buttons between these widths only. */
const NARROWEST = 200;
const WIDEST = 400;

const failed = () => toast.error(texts.googleFailed);

interface GoogleCredentialButtonProps {
  clientId: string;
  /** What is done with what Google hands over. */
  onCredential: (token: string) => Promise<void>;
}

/** How wide Google's button is drawn in its place. */
function useWidth() {
  const [width, setWidth] = useState<number>();
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const measure = () => setWidth(Math.max(NARROWEST, Math.min(WIDEST, place.current?.clientWidth ?? 0)));
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);

  return { place, width };
}

/** Google's own button, as wide as its place. Where Google cannot be reached there is none. */
export function GoogleCredentialButton({ clientId, onCredential }: GoogleCredentialButtonProps) {
  const { place, width } = useWidth();
  const receive = useEffectEvent(({ credential }: { credential?: string }) =>
    credential ? void onCredential(credential) : failed(),
  );

  useEffect(() => {
    if (!width) return;
    let current = true;
    loadGoogleIdentity()
      .then((google) => {
        if (!current || !place.current) return;
        google.initialize({ client_id: clientId, callback: (answer) => receive(answer) });
        google.renderButton(place.current, { text: 'continue_with', size: 'large', logo_alignment: 'left', width });
      })
      .catch((error: unknown) => console.warn('Google’s button did not load.', error));
    return () => {
      current = false;
    };
  }, [clientId, place, width]);

  return <div ref={place} className={styles.google} />;
}

interface GoogleButtonProps {
  clientId: string;
  onSignedIn: (viewer: SessionUserFragment) => Promise<void>;
  /** The account has a second factor. */
  onSecondFactor: (needed: SecondFactorNeededFragment) => void;
}

/** Signs in with Google. */
export function GoogleButton({ clientId, onSignedIn, onSecondFactor }: GoogleButtonProps) {
  const [signIn] = useSignInWithGoogleMutation();

  async function receive(token: string) {
    const { data, message } = await toResult(signIn({ variables: { token } }));
    const result = data?.signInWithGoogle;
    if (result?.__typename === 'SecondFactorRequired') {
      onSecondFactor(result);
      return;
    }
    if (result?.__typename !== 'SignedIn') {
      toast.error(result?.message ?? message ?? texts.googleFailed);
      return;
    }
    toast.success(texts.welcomeGoogle);
    await onSignedIn(result.viewer);
  }

  return <GoogleCredentialButton clientId={clientId} onCredential={receive} />;
}
