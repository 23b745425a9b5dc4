import { Button } from '~/ui/button';
import styles from './panel.module.css';
import { useUserControls } from './use-user-controls';
import type { AdminUserFragment } from './user.generated';

interface AdminRequestsProps {
  requests: readonly AdminUserFragment[];
  allowed: boolean;
  noteId: string;
}

function RequestRow({ user, allowed, noteId }: { user: AdminUserFragment } & Omit<AdminRequestsProps, 'requests'>) {
  const { toggle, reject, toggling, rejecting } = useUserControls(user);
  const why = allowed ? undefined : noteId;

  return (
    <tr>
      <th scope="row">{user.name}</th>
      <td className={styles.wide}>{user.email}</td>
      <td>
        <div className={styles.actions}>
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
        </div>
      </td>
    </tr>
  );
}

/** Who asked for admin access and waits. */
export function AdminRequests({ requests, allowed, noteId }: AdminRequestsProps) {
  const waiting = requests.filter(({ adminRequest, role }) => adminRequest && role !== 'ADMIN');

  if (waiting.length === 0) return <p className="soft">Nobody is waiting.</p>;
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">E-mail</th>
          <th scope="col">
            <span className="visually-hidden">Controls</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {waiting.map((user) => (
          <RequestRow key={user.id} user={user} allowed={allowed} noteId={noteId} />
        ))}
      </tbody>
    </table>
  );
}
