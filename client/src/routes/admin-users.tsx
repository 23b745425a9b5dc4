import { Panel, PrivilegeNote } from '~/features/admin/panel';
import { AdminRequests } from '~/features/admin/people/admin-requests';
import { texts } from '~/features/admin/people/texts';
import { UserTable } from '~/features/admin/people/user-table';
import { askedAnew, useAdminEvents } from '~/features/admin/use-admin-events';
import { serverWords } from '~/graphql/settled';
import { Select } from '~/ui/field';
import { ListSearch } from '~/ui/list-search';
import { Pager } from '~/ui/pager';
import { Filters } from '~/ui/table';
import { useListQuery } from '~/ui/use-list-query';
import type { AdminViewer } from './admin-viewer';
import { useAdminRequestsQuery, useAdminUsersQuery } from './admin-users.generated';

const NOTE = 'user-note';
const PAGE = 50;
const roles = { all: null, admins: 'ADMIN', users: 'USER' } as const;

const isRole = (value: string): value is keyof typeof roles => value in roles;

function Requests({ allowed }: { allowed: boolean }) {
  const { data, error, refetch } = useAdminRequestsQuery({ fetchPolicy: 'cache-and-network', context: askedAnew });
  useAdminEvents(({ __typename }) => {
    if (__typename === 'AdminRequested' || __typename === 'EventsMissed') void refetch();
  });
  return (
    <Panel
      title={texts.pending}
      waiting="Fetching requests"
      failed={error ? (serverWords(error) ?? texts.requestsFailed) : false}
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
  const chosen = isRole(role) ? role : 'all';
  const { data, previousData, error, loading, refetch } = useAdminUsersQuery({
    variables: { search: search || null, role: roles[chosen], after: list.after },
    fetchPolicy: 'cache-and-network',
    context: askedAnew,
  });
  useAdminEvents(({ __typename }) => {
    if (__typename === 'EventsMissed') void refetch();
  });
  const users = (data ?? (error ? undefined : previousData))?.admin?.users;

  return (
    <Panel
      title={texts.users}
      waiting="Fetching users"
      failed={error ? (serverWords(error) ?? texts.usersFailed) : false}
      aside={
        <Filters>
          <ListSearch label="Find by name or e-mail" value={search} onSearch={(search) => list.set({ search })} />
          <Select label="Role" value={chosen} onChange={({ target }) => list.set({ role: target.value })}>
            <option value="all">All</option>
            <option value="admins">Admins</option>
            <option value="users">Users</option>
          </Select>
        </Filters>
      }
    >
      {users && (
        <div>
          <UserTable users={users.nodes} allowed={allowed} noteId={NOTE} stale={loading && !data} />
          <Pager
            list={list}
            size={PAGE}
            shown={users.nodes.length}
            total={users.totalCount}
            pageInfo={users.pageInfo}
          />
        </div>
      )}
    </Panel>
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
