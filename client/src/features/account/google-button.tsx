import { GoogleLogin, GoogleOAuthProvider } from '@react-oauth/google';
import { useEffect, useRef, useState } from 'react';
import { settled } from '~/graphql/settled';
import type { SessionUserFragment } from '~/session/session.generated';
import { toast } from '~/ui/toast';
import { type SecondFactorNeededFragment, useSignInWithGoogleMutation } from './auth.generated';
import styles from './form.module.css';
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

/** Google's own button, as wide as its place. */
export function GoogleCredentialButton({ clientId, onCredential }: GoogleCredentialButtonProps) {
  const [width, setWidth] = useState<number>();
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const measure = () => setWidth(Math.max(NARROWEST, Math.min(WIDEST, place.current?.clientWidth ?? 0)));
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);

  return (
    <div ref={place} className={styles.google}>
      {width && (
        <GoogleOAuthProvider clientId={clientId}>
          <GoogleLogin
            text="continue_with"
            logo_alignment="left"
            width={width}
            onSuccess={({ credential }) => void (credential ? onCredential(credential) : failed())}
            onError={failed}
          />
        </GoogleOAuthProvider>
      )}
    </div>
  );
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
    const { data, said } = await settled(signIn({ variables: { token } }));
    const result = data?.signInWithGoogle;
    if (result?.__typename === 'SecondFactorRequired') {
      onSecondFactor(result);
      return;
    }
    if (result?.__typename !== 'SignedIn') {
      toast.error(result?.message ?? said ?? texts.googleFailed);
      return;
    }
    toast.success(texts.welcomeGoogle);
    await onSignedIn(result.viewer);
  }

  return <GoogleCredentialButton clientId={clientId} onCredential={receive} />;
}
