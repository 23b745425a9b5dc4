import { lazy, Suspense, useEffect } from 'react';
import { useUser } from '~/session/use-session';
import { AdminIcon, PersonIcon } from '~/ui/icons';
import { Link } from '~/ui/link';
import { Menu } from '~/ui/menu';
import { quiet } from '~/ui/quiet';
import { texts as ui } from '~/ui/texts';
import styles from './header.module.css';

const loadActions = () => import('./account-actions');
const AccountActions = lazy(loadActions);

/** Sign In and wishlist for a visitor; account, wishlist, dashboard or the request for it, and Sign Out for everybody else. */
export function AccountMenu() {
  const user = useUser();
  const isAdmin = user?.role === 'admin';

  useEffect(() => {
    if (!user) return;
    // Ahead of the press, so that the menu opens whole; a press asks once more for what did not come.
    quiet().then(loadActions).catch(() => undefined);
  }, [user]);

  return (
    <Menu
      // Closes with the session.
      key={user?.id ?? 'visitor'}
      label={user ? `Account of ${user.name}` : ui.signIn}
      openerClass={styles.opener}
      opener={
        <>
          {isAdmin ? <AdminIcon data-testid="admin-icon" /> : <PersonIcon />}
          <span className={styles.word}>{user ? 'Account' : ui.signIn}</span>
        </>
      }
    >
      <li>{user ? <Link to="/account">Account</Link> : <Link to="/signin">{ui.signIn}</Link>}</li>
      <li>
        <Link to="/wishlist">Wishlist</Link>
      </li>
      {isAdmin && (
        <li>
          <Link to="/admin">Dashboard</Link>
        </li>
      )}
      {user && (
        <Suspense fallback={<li aria-hidden className={isAdmin ? styles.coming : styles.twoComing} />}>
          <AccountActions isAdmin={isAdmin} />
        </Suspense>
      )}
    </Menu>
  );
}
