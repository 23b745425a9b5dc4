import { AuthPage } from '~/features/account/auth-page';
import styles from '~/features/account/form.module.css';
import { GoogleButton } from '~/features/account/google-button';
import { SignInForm } from '~/features/account/sign-in-form';
import { SignInNotice } from '~/features/account/sign-in-notice';
import { texts } from '~/features/account/texts';
import { VisitorsOnly } from '~/session/guards';
import { Link } from '~/ui/link';
import { useAfterSignIn, useAuthPage } from './use-auth-page';

function SignIn() {
  const { search, googleClientId, picture, asked, kept } = useAuthPage();
  const goOn = useAfterSignIn();

  return (
    <AuthPage title={texts.signIn} picture={picture} notice={asked && <SignInNotice kept={kept} />}>
      <SignInForm onSignedIn={goOn} />
      <div className={styles.or}>or</div>
      {googleClientId ? <GoogleButton clientId={googleClientId} onSignedIn={goOn} /> : <div className={styles.google} />}
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
