import { GoogleLogin, GoogleOAuthProvider } from '@react-oauth/google';
import { useEffect, useRef, useState } from 'react';
import { settled } from '~/graphql/settled';
import type { SessionUserFragment } from '~/session/session.generated';
import { toast } from '~/ui/toast';
import { useSignInWithGoogleMutation } from './auth.generated';
import styles from './form.module.css';
import { texts } from './texts';

/** Google draws buttons between these widths only. */
const NARROWEST = 200;
const WIDEST = 400;

interface GoogleButtonProps {
  clientId: string;
  onSignedIn: (viewer: SessionUserFragment) => Promise<void>;
}

/** Google's own button, as wide as its place. */
export function GoogleButton({ clientId, onSignedIn }: GoogleButtonProps) {
  const [signIn] = useSignInWithGoogleMutation();
  const [width, setWidth] = useState<number>();
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const measure = () => setWidth(Math.max(NARROWEST, Math.min(WIDEST, place.current?.clientWidth ?? 0)));
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);

  async function receive(token: string | undefined) {
    if (!token) {
      toast.error(texts.googleFailed);
      return;
    }
    const { data, said } = await settled(signIn({ variables: { token } }));
    const result = data?.signInWithGoogle;
    if (result?.__typename !== 'SignedIn') {
      toast.error(result?.message ?? said ?? texts.googleFailed);
      return;
    }
    toast.success(texts.welcomeGoogle);
    await onSignedIn(result.viewer);
  }

  return (
    <div ref={place} className={styles.google}>
      {width && (
        <GoogleOAuthProvider clientId={clientId}>
          <GoogleLogin
            text="continue_with"
            logo_alignment="left"
            width={width}
            onSuccess={({ credential }) => void receive(credential)}
            onError={() => toast.error(texts.googleFailed)}
          />
        </GoogleOAuthProvider>
      )}
    </div>
  );
}
