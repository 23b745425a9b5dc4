import { AuthPage } from '~/features/account/auth-page';
import styles from '~/features/account/form.module.css';
import { GoogleButton } from '~/features/account/google-button';
import { SignInNotice } from '~/features/account/sign-in-notice';
import { SignInSteps } from '~/features/account/sign-in-steps';
import { SignUpForm } from '~/features/account/sign-up-form';
import { VisitorsOnly } from '~/session/guards';
import { Link } from '~/ui/link';
import { WithoutScript } from '~/ui/without-script';
import { useAfterSignIn, useAuthPage } from './use-auth-page';

function SignUp() {
  const { search, googleClientId, picture, addsToCart, note } = useAuthPage();
  const goOn = useAfterSignIn();

  return (
    <AuthPage title="Sign Up" picture={picture} notice={addsToCart && <SignInNotice note={note} />}>
      <WithoutScript what="Signing up" />
      <SignInSteps onSignedIn={goOn}>
        {(onSecondFactor) => (
          <>
            <SignUpForm onSignedIn={goOn} />
            <div className={styles.or}>or</div>
            {googleClientId ? (
              <GoogleButton clientId={googleClientId} onSignedIn={goOn} onSecondFactor={onSecondFactor} />
            ) : (
              <div className={styles.google} />
            )}
          </>
        )}
      </SignInSteps>
      <p className={styles.switch}>
        Been here before?{' '}
        <Link to={`/signin${search}`} className="link">
          Sign in
        </Link>
      </p>
    </AuthPage>
  );
}

export default function SignUpRoute() {
  return (
    <VisitorsOnly>
      <SignUp />
    </VisitorsOnly>
  );
}
