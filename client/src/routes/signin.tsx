import { AuthPage } from '~/features/account/auth-page';
import styles from '~/features/account/form.module.css';
import { GoogleButton } from '~/features/account/google-button';
import PasskeySignIn from '~/features/account/passkey-sign-in';
import { SignInForm } from '~/features/account/sign-in-form';
import { SignInNotice } from '~/features/account/sign-in-notice';
import { SignInSteps } from '~/features/account/sign-in-steps';
import { texts } from '~/features/account/texts';
import { VisitorsOnly } from '~/session/guards';
import { Link } from '~/ui/link';
import { WithoutScript } from '~/ui/without-script';
import { useAfterSignIn, useAuthPage } from './use-auth-page';

function SignIn() {
  const { search, googleClientId, picture, addsToCart, note } = useAuthPage();
  const goOn = useAfterSignIn();

  return (
    <AuthPage title={texts.signIn} picture={picture} notice={addsToCart && <SignInNotice note={note} />}>
      <WithoutScript what="Signing in" />
      <SignInSteps onSignedIn={goOn}>
        {(onSecondFactor) => (
          <>
            <SignInForm onSignedIn={goOn} onSecondFactor={onSecondFactor} />
            <div className={styles.or}>or</div>
            {googleClientId ? (
              <GoogleButton clientId={googleClientId} onSignedIn={goOn} onSecondFactor={onSecondFactor} />
            ) : (
              <div className={styles.google} />
            )}
            <PasskeySignIn onSignedIn={goOn} />
          </>
        )}
      </SignInSteps>
      <p className={styles.switch}>
        New here?{' '}
        <Link to={`/signup${search}`} className="link">
          Sign up
        </Link>
      </p>
    </AuthPage>
  );
}

export default function SignInRoute() {
  return (
    <VisitorsOnly>
      <SignIn />
    </VisitorsOnly>
  );
}
