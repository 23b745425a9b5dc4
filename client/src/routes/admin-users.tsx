import { ListPanel } from '~/features/admin/list';
import { Panel, PrivilegeNote } from '~/features/admin/panel';
import { AdminRequests } from '~/features/admin/people/admin-requests';
import { texts } from '~/features/admin/people/texts';
import { UserTable } from '~/features/admin/people/user-table';
import { withoutDeduplication, useAdminEvents } from '~/features/admin/use-admin-events';
import { failure, listPage } from '~/graphql/list-page';
import { FilterBar } from '~/ui/filter-bar';
import { useListQuery } from '~/ui/use-list-query';
import type { AdminViewer } from './admin-viewer';
import { useAdminRequestsQuery, useAdminUsersQuery } from './admin-users.generated';

const NOTE = 'user-note';

const roles = [
  { value: 'all', label: 'All', role: null },
  { value: 'admins', label: 'Admins', role: 'ADMIN' },
  { value: 'users', label: 'Users', role: 'USER' },
] as const;

function Requests({ allowed }: { allowed: boolean }) {
  const { data, error, refetch } = useAdminRequestsQuery({
    fetchPolicy: 'cache-and-network',
    context: withoutDeduplication,
  });
  useAdminEvents(({ __typename }) => {
    if (__typename === 'AdminRequested' || __typename === 'EventsMissed') void refetch();
  });
  return (
    <Panel
      title={texts.pending}
      waiting="Fetching requests"
      failed={failure(error, texts.requestsFailed)}
      onRetry={() => void refetch()}
    >
      {data?.admin && (
        <div aria-live="polite">
          <AdminRequests requests={data.admin.adminRequests} allowed={allowed} noteId={NOTE} />
        </div>
      )}
    </Panel>
  );
}

function Users({ allowed }: { allowed: boolean }) {
  const list = useListQuery({ search: '', role: 'all' });
  const { search, role } = list.values;
  const result = useAdminUsersQuery({
    variables: {
      search: search || null,
      role: roles.find(({ value }) => value === role)?.role ?? null,
      after: list.after,
    },
    fetchPolicy: 'cache-and-network',
    context: withoutDeduplication,
  });
  useAdminEvents(({ __typename }) => {
    if (__typename === 'EventsMissed') void result.refetch();
  });

  return (
    <ListPanel
      title={texts.users}
      waiting="Fetching users"
      failed={texts.usersFailed}
      list={list}
      page={listPage(result, ({ admin }) => admin?.users)}
      aside={
        <FilterBar
          list={list}
          fields={[
            { name: 'search', kind: 'search', label: 'Find by name or e-mail' },
            { name: 'role', kind: 'choice', label: 'Role', options: roles },
          ]}
        />
      }
    >
      {(users, stale) => <UserTable users={users} allowed={allowed} noteId={NOTE} stale={stale} />}
    </ListPanel>
  );
}

/** Accounts and who may be an admin. */
export default function UsersTab({ viewer }: { viewer: AdminViewer }) {
  const allowed = viewer.isPrimaryAdmin;
  return (
    <>
      <PrivilegeNote id={NOTE} allowed={allowed} />
      <Requests allowed={allowed} />
      <Users allowed={allowed} />
    </>
  );
}
