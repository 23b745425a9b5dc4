import { useState } from 'react';
import { Button } from '~/ui/button';
import { Link } from '~/ui/link';
import { Status } from '~/ui/status';
import { Head, NoRows, Table } from '~/ui/table';
import styles from '~/ui/table.module.css';
import { RoleDialog } from './role-dialog';
import { texts } from './texts';
import { useUserControls } from './use-user-controls';
import type { AdminUserFragment } from './user.generated';

interface AdminRequestsProps {
  requests: readonly AdminUserFragment[];
  /** Whether the reader may press the buttons; the words at `noteId` say why not. */
  allowed: boolean;
  noteId: string;
}

function RequestRow({ user, allowed, noteId }: { user: AdminUserFragment } & Omit<AdminRequestsProps, 'requests'>) {
  const { reject, toggling, rejecting, ...roles } = useUserControls(user);
  const [asking, setAsking] = useState(false);
  const why = allowed ? undefined : noteId;

  return (
    <tr>
      <th scope="row">
        <Link to={`/admin/customers/${user.id}`} className="link">
          {user.name}
        </Link>
      </th>
      <td>
        {user.email}
        {!user.emailVerified && (
          <div>
            <Status mark="empty">{texts.notConfirmed}</Status>
          </div>
        )}
      </td>
      <td className={styles.actions}>
        <Button
          small
          kind="primary"
          disabled={!allowed}
          aria-describedby={why}
          aria-label={`Approve ${user.name}`}
          working={toggling && 'Approving ...'}
          onClick={() => setAsking(true)}
        >
          Approve
        </Button>
        <Button
          small
          disabled={!allowed}
          aria-describedby={why}
          aria-label={`Reject ${user.name}`}
          working={rejecting && 'Rejecting ...'}
          onClick={() => void reject()}
        >
          Reject
        </Button>
        <RoleDialog user={user} open={asking} onClose={() => setAsking(false)} {...roles} />
      </td>
    </tr>
  );
}

/** Who asked for admin access and waits. */
export function AdminRequests({ requests, allowed, noteId }: AdminRequestsProps) {
  const waiting = requests.filter(({ adminRequest, role }) => adminRequest && role !== 'ADMIN');

  if (waiting.length === 0) return <NoRows>{texts.nobodyWaits}</NoRows>;
  return (
    <Table label={texts.pending}>
      <thead>
        <tr>
          <Head>Name</Head>
          <Head>E-mail</Head>
          <Head hidden>Controls</Head>
        </tr>
      </thead>
      <tbody>
        {waiting.map((user) => (
          <RequestRow key={user.id} user={user} allowed={allowed} noteId={noteId} />
        ))}
      </tbody>
    </Table>
  );
}
