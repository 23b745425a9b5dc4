import { Button } from '~/ui/button';
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
  const why = allowed ? undefined : noteId;

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
          onClick={() => void toggle()}
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
