import { useState } from 'react';
import { Button } from '~/ui/button';
import { ConfirmDialog } from '~/ui/dialog';
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
  const { toggle, remove, toggling, deleting } = useUserControls(user);
  const [asking, setAsking] = useState(false);
  const locked = !allowed || user.isPrimaryAdmin;
  const why = allowed ? undefined : noteId;
  const role = user.role === 'ADMIN' ? texts.removeAdmin : texts.makeAdmin;

  async function confirmed() {
    setAsking(false);
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
        onClick={() => void toggle()}
      >
        {role}
      </Button>
      <Button
        small
        disabled={locked}
        aria-describedby={why}
        aria-label={`Delete ${user.name}`}
        working={deleting && 'Deleting ...'}
        onClick={() => setAsking(true)}
      >
        Delete
      </Button>
      <ConfirmDialog
        open={asking}
        title={`Delete ${user.name}?`}
        text={texts.deletion}
        confirm="Delete"
        onClose={() => setAsking(false)}
        onConfirm={() => void confirmed()}
      />
    </>
  );
}
