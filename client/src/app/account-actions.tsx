import { useNavigate } from 'react-router';
import { toResult } from '~/graphql/settled';
import { useSession } from '~/session/use-session';
import { toast } from '~/ui/toast';
import { useRequestAdminAccessMutation, useSignOutMutation } from '~/features/account/account-actions.generated';
import { texts } from './account-texts';

function useSignOut() {
  const navigate = useNavigate();
  const { signedOut } = useSession();
  const [signOut] = useSignOutMutation();
  return () => {
    signOut()
      .catch((error: unknown) => console.error('The server did not hear the sign-out.', error))
      .finally(() => {
        signedOut();
        toast.success(texts.loggedOut);
        void navigate('/');
      });
  };
}

function useRequestAdminAccess() {
  const [request] = useRequestAdminAccessMutation();
  return async () => {
    const { data, message } = await toResult(request());
    if (data) toast.success(texts.requestSent);
    else toast.error(message ?? texts.requestFailed);
  };
}

/** The account menu's actions for a signed-in user. */
export default function AccountActions({ isAdmin }: { isAdmin: boolean }) {
  const signOut = useSignOut();
  const requestAdminAccess = useRequestAdminAccess();
  return (
    <>
      {!isAdmin && (
        <li>
          <button type="button" onClick={() => void requestAdminAccess()}>
            {texts.requestAdminAccess}
          </button>
        </li>
      )}
      <li>
        <button type="button" onClick={signOut}>
          {texts.signOut}
        </button>
      </li>
    </>
  );
}
