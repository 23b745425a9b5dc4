import { Link, useNavigate } from 'react-router';
import { useSession, useUser } from '~/session/use-session';
import { AdminIcon, PersonIcon } from '~/ui/icons';
import { Menu } from '~/ui/menu';
import { toast } from '~/ui/toast';
import { useRequestAdminAccessMutation, useSignOutMutation } from './account-menu.generated';
import styles from './header.module.css';

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

/** Sign In for a visitor; account, dashboard or the request for it, and Sign Out for everybody else. */
export function AccountMenu() {
  const user = useUser();
  const signOut = useSignOut();
  const requestAdminAccess = useRequestAdminAccess();
  const isAdmin = user?.role === 'admin';
  const words = user ? 'Account' : 'Sign In';

  return (
    <Menu
      label={user ? `Account of ${user.name}` : 'Sign In'}
      openerClass={styles.opener}
      opener={
        <>
          {isAdmin ? <AdminIcon data-testid="admin-icon" /> : <PersonIcon />}
          <span className={styles.word}>{words}</span>
        </>
      }
    >
      {!user && (
        <li>
          <Link to="/signin">Sign In</Link>
        </li>
      )}
      {user && (
        <>
          <li>
            <Link to="/account">Account</Link>
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
      )}
    </Menu>
  );
}
