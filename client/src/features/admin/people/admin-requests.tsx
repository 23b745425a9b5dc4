import { useState } from 'react';
import { Button } from '~/ui/button';
import { DataTable } from '~/ui/data-table';
import { Link } from '~/ui/link';
import { Status } from '~/ui/status';
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

function Answers({ user, allowed, noteId }: { user: AdminUserFragment } & Omit<AdminRequestsProps, 'requests'>) {
  const { reject, toggling, rejecting, ...roles } = useUserControls(user);
  const [asking, setAsking] = useState(false);
  const why = allowed ? undefined : noteId;

  return (
    <>
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
    </>
  );
}

/** Who asked for admin access and waits. */
export function AdminRequests({ requests, ...rights }: AdminRequestsProps) {
  return (
    <DataTable
      label={texts.pending}
      rows={requests.filter(({ adminRequest, role }) => adminRequest && role !== 'ADMIN')}
      empty={texts.nobodyWaits}
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
        {
          title: 'E-mail',
          cell: ({ email, emailVerified }) => (
            <>
              {email}
              {!emailVerified && (
                <div>
                  <Status mark="empty">{texts.notConfirmed}</Status>
                </div>
              )}
            </>
          ),
        },
        { title: 'Controls', kind: 'controls', cell: (user) => <Answers user={user} {...rights} /> },
      ]}
    />
  );
}
