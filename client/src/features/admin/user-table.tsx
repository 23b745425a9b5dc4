import { useState } from 'react';
import { Button } from '~/ui/button';
import { ConfirmDialog } from '~/ui/dialog';
import styles from './panel.module.css';
import { texts } from './texts';
import { useUserControls } from './use-user-controls';
import type { AdminUserFragment } from './user.generated';

interface UserTableProps {
  users: readonly AdminUserFragment[];
  /** Whether the reader may press the buttons; the words at `noteId` say why not. */
  allowed: boolean;
  noteId: string;
}

function UserRow({ user, allowed, noteId }: { user: AdminUserFragment } & Omit<UserTableProps, 'users'>) {
  const { toggle, remove, toggling, deleting } = useUserControls(user);
  const [asking, setAsking] = useState(false);
  const isAdmin = user.role === 'ADMIN';
  const locked = !allowed || user.isPrimaryAdmin;
  const why = allowed ? undefined : noteId;

  return (
    <tr>
      <th scope="row">{user.name}</th>
      <td>{user.email}</td>
      <td>{user.isPrimaryAdmin ? texts.primaryAdmin : isAdmin ? 'Admin' : 'User'}</td>
      <td className={styles.number}>
        {user.orderCount} {user.orderCount === 1 ? 'order' : 'orders'}
      </td>
      <td>
        <div className={styles.actions}>
          <Button
            small
            disabled={locked}
            aria-describedby={why}
            aria-label={`${isAdmin ? 'Remove Admin' : 'Make Admin'}: ${user.name}`}
            working={toggling && 'Saving ...'}
            onClick={() => void toggle()}
          >
            {isAdmin ? 'Remove Admin' : 'Make Admin'}
          </Button>
          <Button
            small
            disabled={locked}
            aria-describedby={why}
            aria-label={`Delete ${user.name}`}
            working={deleting && 'Deleting ...'}
            onClick={() => setAsking(true)}
          >
            Delete
          </Button>
        </div>
        <ConfirmDialog
          open={asking}
          title={`Delete ${user.name}?`}
          text="The account goes; its orders stay, without the buyer. This action cannot be undone."
          confirm="Delete"
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            void remove();
          }}
        />
      </td>
    </tr>
  );
}

/** Every account but one's own. */
export function UserTable({ users, allowed, noteId }: UserTableProps) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">E-mail</th>
          <th scope="col">Role</th>
          <th scope="col" className={styles.number}>
            Orders
          </th>
          <th scope="col">
            <span className="visually-hidden">Controls</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <UserRow key={user.id} user={user} allowed={allowed} noteId={noteId} />
        ))}
      </tbody>
    </table>
  );
}
