import { useSearchParams } from 'react-router';
import { AuthPage } from '~/features/account/auth-page';
import { ResetPasswordForm } from '~/features/account/reset-password-form';
import { useAuthPage } from './use-auth-page';

export default function ResetPasswordRoute() {
  const [query] = useSearchParams();
  const { picture } = useAuthPage();
  return (
    <AuthPage title="Reset Your Password" picture={picture}>
      <p>Enter your new password</p>
      <ResetPasswordForm token={query.get('token') ?? ''} />
    </AuthPage>
  );
}
