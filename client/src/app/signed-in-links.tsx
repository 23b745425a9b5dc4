import { useNavigate } from 'react-router';
import { settled } from '~/graphql/settled';
import { useSession } from '~/session/use-session';
import { Link } from '~/ui/link';
import { toast } from '~/ui/toast';
import { useRequestAdminAccessMutation, useSignOutMutation } from './signed-in-links.generated';
import { texts } from './texts';

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
    const { data, said } = await settled(request());
    if (data) toast.success(texts.requestSent);
    else toast.error(said ?? texts.requestFailed);
  };
}

/** What the account menu offers to somebody who is signed in. */
export default function SignedInLinks({ isAdmin }: { isAdmin: boolean }) {
  const signOut = useSignOut();
  const requestAdminAccess = useRequestAdminAccess();
  return (
    <>
      <li>
        <Link to="/account">Account</Link>
      </li>
      <li>
        <Link to="/wishlist">Wishlist</Link>
      </li>
      <li>
        {isAdmin ? (
          <Link to="/admin">Dashboard</Link>
        ) : (
          <button type="button" onClick={() => void requestAdminAccess()}>
            {texts.requestAdminAccess}
          </button>
        )}
      </li>
      <li>
        <button type="button" onClick={signOut}>
          {texts.signOut}
        </button>
      </li>
    </>
  );
}
