import { NetworkStatus } from '@apollo/client';
import { useDeferredValue, useState } from 'react';
import { AdminRequests } from '~/features/admin/admin-requests';
import { Panel, PrivilegeNote } from '~/features/admin/panel';
import { texts } from '~/features/admin/texts';
import { UserTable } from '~/features/admin/user-table';
import { serverWords } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { Field } from '~/ui/field';
import type { AdminViewer } from './admin';
import { type AdminUsersQuery, useAdminRequestsQuery, useAdminUsersQuery } from './admin.generated';
import styles from './admin.module.css';

const NOTE = 'user-note';

function Requests({ allowed }: { allowed: boolean }) {
  const { data, error } = useAdminRequestsQuery({ fetchPolicy: 'cache-and-network' });
  return (
    <Panel
      title={texts.pending}
      waiting="Fetching requests"
      failed={error ? (serverWords(error) ?? texts.requestsFailed) : false}
    >
      {data?.admin && <AdminRequests requests={data.admin.adminRequests} allowed={allowed} noteId={NOTE} />}
    </Panel>
  );
}

function appended(shown: AdminUsersQuery, more: AdminUsersQuery): AdminUsersQuery {
  if (!shown.admin || !more.admin) return shown;
  const { users } = more.admin;
  return { admin: { ...more.admin, users: { ...users, nodes: [...shown.admin.users.nodes, ...users.nodes] } } };
}

function Users({ viewer, allowed }: { viewer: AdminViewer; allowed: boolean }) {
  const [search, setSearch] = useState('');
  const wanted = useDeferredValue(search.trim());
  const { data, previousData, error, fetchMore, networkStatus } = useAdminUsersQuery({
    variables: { search: wanted || null },
    fetchPolicy: 'cache-and-network',
  });
  const users = (data ?? previousData)?.admin?.users;

  function more() {
    void fetchMore({
      variables: { after: users?.pageInfo.endCursor },
      updateQuery: (shown, { fetchMoreResult }) => appended(shown, fetchMoreResult),
    });
  }

  return (
    <Panel
      title="Users"
      waiting="Fetching users"
      failed={error ? (serverWords(error) ?? texts.usersFailed) : false}
      aside={
        <div className={styles.search}>
          <Field label="Find by name or e-mail" value={search} onChange={({ target }) => setSearch(target.value)} />
        </div>
      }
    >
      {users && (
        <>
          <UserTable users={users.nodes.filter(({ id }) => id !== viewer.id)} allowed={allowed} noteId={NOTE} />
          {users.pageInfo.hasNextPage && (
            <div className={styles.more}>
              <Button onClick={more} working={networkStatus === NetworkStatus.fetchMore && 'Fetching more ...'}>
                Show more
              </Button>
            </div>
          )}
        </>
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
      <Users viewer={viewer} allowed={allowed} />
    </>
  );
}
