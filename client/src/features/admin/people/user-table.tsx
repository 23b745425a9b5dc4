import { DataTable } from '~/ui/data-table';
import { Link } from '~/ui/link';
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
export function UserTable({ users, stale, ...rights }: UserTableProps) {
  return (
    <DataTable
      label={texts.users}
      rows={users}
      stale={stale}
      empty={texts.nobodyFound}
      columns={[
        {
          title: 'Name',
          isRowHeader: true,
          cell: ({ id, name }) => (
            <Link to={`/admin/customers/${id}`} className="link">
              {name}
            </Link>
          ),
        },
        { title: 'E-mail', cell: ({ email }) => email },
        { title: 'Role', cell: roleName },
        { title: 'Orders', kind: 'number', label: true, cell: ({ orderCount }) => orderCount },
        { title: 'Controls', kind: 'controls', cell: (user) => <UserButtons user={user} {...rights} /> },
      ]}
    />
  );
}
