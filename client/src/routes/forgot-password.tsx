import { AuthPage } from '~/features/account/auth-page';
import { ForgotPasswordForm } from '~/features/account/forgot-password-form';
import { Link } from '~/ui/link';
import { WithoutScript } from '~/ui/without-script';
import { useAuthPage } from './use-auth-page';

export default function ForgotPasswordRoute() {
  const { picture } = useAuthPage();
  return (
    <AuthPage title="Forgot Password" picture={picture}>
      <WithoutScript what="Asking for a new password" />
      <p>Enter the e-mail of your account. We mail you a link that works once, for an hour.</p>
      <ForgotPasswordForm />
      <p>
        <Link to="/signin" className="link">
          Back to sign-in
        </Link>
      </p>
    </AuthPage>
  );
}
