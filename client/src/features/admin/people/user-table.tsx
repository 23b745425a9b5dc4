import { Link } from '~/ui/link';
import { Head, NoRows, Table } from '~/ui/table';
import styles from '~/ui/table.module.css';
import { texts } from './texts';
import type { AdminUserFragment } from './user.generated';
import { UserButtons } from './user-buttons';

interface UserTableProps {
  users: readonly AdminUserFragment[];
  /** Whether the reader may press the buttons; the words at `noteId` say why not. */
  allowed: boolean;
  noteId: string;
  stale?: boolean;
}

/** What an account is called by its role. */
export function roleName({ isPrimaryAdmin, role }: Pick<AdminUserFragment, 'isPrimaryAdmin' | 'role'>): string {
  if (isPrimaryAdmin) return texts.primaryAdmin;
  return role === 'ADMIN' ? 'Admin' : 'User';
}

/** Every account but one's own. */
export function UserTable({ users, allowed, noteId, stale }: UserTableProps) {
  if (users.length === 0) return <NoRows>{texts.nobodyFound}</NoRows>;
  return (
    <Table label={texts.users} stale={stale}>
      <thead>
        <tr>
          <Head>Name</Head>
          <Head>E-mail</Head>
          <Head>Role</Head>
          <Head number>Orders</Head>
          <Head hidden>Controls</Head>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <tr key={user.id}>
            <th scope="row">
              <Link to={`/admin/customers/${user.id}`} className="link">
                {user.name}
              </Link>
            </th>
            <td>{user.email}</td>
            <td>{roleName(user)}</td>
            <td className={styles.number} data-label="Orders">
              {user.orderCount}
            </td>
            <td className={styles.actions}>
              <UserButtons user={user} allowed={allowed} noteId={noteId} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
