import { AuthPage } from '~/features/account/auth-page';
import { ResetPasswordForm } from '~/features/account/reset-password-form';
import { texts } from '~/features/account/texts';
import { useMailedToken } from '~/ui/use-mailed-token';
import { useAuthPage } from './use-auth-page';

export default function ResetPasswordRoute() {
  const token = useMailedToken();
  const { picture } = useAuthPage();
  return (
    <AuthPage title={texts.resetTitle} picture={picture}>
      <p>{texts.resetHint}</p>
      <ResetPasswordForm token={token} />
    </AuthPage>
  );
}
