import { AuthPage } from '~/features/account/auth-page';
import { EmailVerification } from '~/features/account/email-verification';
import { useMailedToken } from '~/ui/use-mailed-token';
import { useAuthPage } from './use-auth-page';

export default function VerifyEmailRoute() {
  const token = useMailedToken();
  const { picture } = useAuthPage();
  return (
    <AuthPage title="E-mail Verification" picture={picture}>
      <EmailVerification token={token} />
    </AuthPage>
  );
}
