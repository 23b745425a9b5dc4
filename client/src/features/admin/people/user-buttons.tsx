import { useState } from 'react';
import { Button } from '~/ui/button';
import { ConfirmDialog } from '~/ui/dialog';
import { RoleDialog } from './role-dialog';
import { texts } from './texts';
import { useUserControls } from './use-user-controls';
import type { AdminUserFragment } from './user.generated';

interface UserButtonsProps {
  user: AdminUserFragment;
  /** Whether the reader may press them; the words at `noteId` say why not. */
  allowed: boolean;
  noteId: string;
  onDeleted?: () => void;
}

/** Role and deletion of one account. */
export function UserButtons({ user, allowed, noteId, onDeleted }: UserButtonsProps) {
  const { remove, toggling, deleting, ...roles } = useUserControls(user);
  const [asking, setAsking] = useState<'role' | 'deletion' | null>(null);
  const locked = !allowed || user.isPrimaryAdmin;
  const why = allowed ? undefined : noteId;
  const role = user.role === 'ADMIN' ? texts.removeAdmin : texts.makeAdmin;
  const close = () => setAsking(null);

  async function confirmDeletion() {
    close();
    if (await remove()) onDeleted?.();
  }

  return (
    <>
      <Button
        small
        disabled={locked}
        aria-describedby={why}
        aria-label={`${role}: ${user.name}`}
        working={toggling && 'Saving ...'}
        onClick={() => setAsking('role')}
      >
        {role}
      </Button>
      <Button
        small
        disabled={locked}
        aria-describedby={why}
        aria-label={`Delete ${user.name}`}
        working={deleting && 'Deleting ...'}
        onClick={() => setAsking('deletion')}
      >
        Delete
      </Button>
      <RoleDialog user={user} open={asking === 'role'} onClose={close} {...roles} />
      <ConfirmDialog
        open={asking === 'deletion'}
        title={`Delete ${user.name}?`}
        text={texts.deletion}
        confirm="Delete"
        onClose={close}
        onConfirm={() => void confirmDeletion()}
      />
    </>
  );
}
