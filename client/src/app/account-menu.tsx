import { type ComponentType, useCallback, useEffect, useState } from 'react';
import { useUser } from '~/session/use-session';
import { AdminIcon, PersonIcon } from '~/ui/icons';
import { Link } from '~/ui/link';
import { Menu } from '~/ui/menu';
import { whenIdle } from '~/ui/scheduling';
import { texts as ui } from '~/ui/texts';
import styles from './header.module.css';

/** Holds the room of what the menu does until that has come, and asks for it once more. */
function Coming({ className, ask }: { className: string | undefined; ask: () => void }) {
  useEffect(ask, [ask]);
  return <li aria-hidden className={className} />;
}

/** Sign In and wishlist for a visitor; account, wishlist, dashboard or the request for it, and Sign Out for accounts. */
export function AccountMenu() {
  const user = useUser();
  const isAdmin = user?.role === 'admin';
  // Not lazy(), which shows its fallback for a while even when the code is there.
  const [Actions, setActions] = useState<ComponentType<{ isAdmin: boolean }>>();

  const ask = useCallback(() => {
    import('./account-actions').then(
      ({ default: Loaded }) => setActions(() => Loaded),
      () => undefined,
    );
  }, []);

  useEffect(() => {
    // Ahead of the press, so that the menu opens whole.
    if (user) void whenIdle().then(ask);
  }, [user, ask]);

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
          <Link to="/admin" reloadDocument>
            Dashboard
          </Link>
        </li>
      )}
      {user && Actions && <Actions isAdmin={isAdmin} />}
      {user && !Actions && <Coming className={isAdmin ? styles.coming : styles.twoComing} ask={ask} />}
    </Menu>
  );
}
