import { AuthPage } from '~/features/account/auth-page';
import { EmailVerification } from '~/features/account/email-verification';
import { useSearchParams } from '~/ui/use-search-params';
import { useAuthPage } from './use-auth-page';

export default function VerifyEmailRoute() {
  const [query] = useSearchParams();
  const { picture } = useAuthPage();
  return (
    <AuthPage title="E-mail Verification" picture={picture}>
      <EmailVerification token={query.get('token') ?? ''} />
    </AuthPage>
  );
}
