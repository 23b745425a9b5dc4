import { useNavigate } from 'react-router';
import { useSession } from '~/session/use-session';
import { Link } from '~/ui/link';
import { toast } from '~/ui/toast';
import { useRequestAdminAccessMutation, useSignOutMutation } from './signed-in-links.generated';

function useSignOut() {
  const navigate = useNavigate();
  const { signedOut } = useSession();
  const [signOut] = useSignOutMutation();
  return () => {
    signOut()
      .catch((error: unknown) => console.error('The server did not hear the sign-out.', error))
      .finally(() => {
        signedOut();
        toast.success('Logged out successfully');
        void navigate('/');
      });
  };
}

function useRequestAdminAccess() {
  const [request] = useRequestAdminAccessMutation();
  return () => {
    request()
      .then(() => toast.success('Admin request sent successfully'))
      .catch(() => toast.error('Failed to send admin request'));
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
          <button type="button" onClick={requestAdminAccess}>
            Request Admin Access
          </button>
        )}
      </li>
      <li>
        <button type="button" onClick={signOut}>
          Sign Out
        </button>
      </li>
    </>
  );
}
