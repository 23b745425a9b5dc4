import { useState } from 'react';
import { Button } from '~/ui/button';
import { ConfirmDialog } from '~/ui/dialog';
import { Link } from '~/ui/link';
import { Head, NoRows, Table } from '~/ui/table';
import styles from '~/ui/table.module.css';
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
  const { toggle, reject, toggling, rejecting } = useUserControls(user);
  const [asking, setAsking] = useState(false);
  const why = allowed ? undefined : noteId;

  function approve() {
    setAsking(false);
    void toggle();
  }

  return (
    <tr>
      <th scope="row">
        <Link to={`/admin/customers/${user.id}`} className="link">
          {user.name}
        </Link>
      </th>
      <td>{user.email}</td>
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
        <ConfirmDialog
          open={asking}
          title={`Make ${user.name} an admin?`}
          text={`${user.email} ${texts.makingAdmin}`}
          confirm={texts.makeAdmin}
          onClose={() => setAsking(false)}
          onConfirm={approve}
        />
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
