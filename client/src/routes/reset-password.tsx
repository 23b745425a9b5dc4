import { AuthPage } from '~/features/account/auth-page';
import { ResetPasswordForm } from '~/features/account/reset-password-form';
import { texts } from '~/features/account/texts';
import { useSearchParams } from '~/ui/use-search-params';
import { useAuthPage } from './use-auth-page';

export default function ResetPasswordRoute() {
  const [query] = useSearchParams();
  const { picture } = useAuthPage();
  return (
    <AuthPage title={texts.resetTitle} picture={picture}>
      <p>{texts.resetHint}</p>
      <ResetPasswordForm token={query.get('token') ?? ''} />
    </AuthPage>
  );
}
