import { AuthPage } from '~/features/account/auth-page';
import { ForgotPasswordForm } from '~/features/account/forgot-password-form';
import { ResetPasswordForm } from '~/features/account/reset-password-form';
import { texts } from '~/features/account/texts';
import { useResetLink } from '~/features/account/use-reset-link';
import { ErrorNote } from '~/ui/error-note';
import { useMailedToken } from '~/ui/use-mailed-token';
import { useAuthPage } from './use-auth-page';

export default function ResetPasswordRoute() {
  const token = useMailedToken();
  const refusal = useResetLink(token);
  const { picture } = useAuthPage();
  return (
    <AuthPage title={texts.resetTitle} picture={picture}>
      {refusal ? (
        <>
          <ErrorNote>{refusal}</ErrorNote>
          <p>{texts.newResetLink}</p>
          <ForgotPasswordForm />
        </>
      ) : (
        <>
          <p>{texts.resetHint}</p>
          <ResetPasswordForm token={token} />
        </>
      )}
    </AuthPage>
  );
}
