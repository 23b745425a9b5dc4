import { ConfirmDialog } from '~/ui/dialog';
import { texts } from './texts';
import type { useUserControls } from './use-user-controls';
import type { AdminUserFragment } from './user.generated';

interface RoleDialogProps extends Pick<ReturnType<typeof useUserControls>, 'toggle' | 'doubt' | 'dropDoubt'> {
  user: AdminUserFragment;
  open: boolean;
  onClose: () => void;
}

/** Asks before a role changes; once more where the server doubts whose e-mail a new admin's is. */
export function RoleDialog({ user, open, onClose, toggle, doubt, dropDoubt }: RoleDialogProps) {
  const isAdmin = user.role === 'ADMIN';
  return (
    <>
      <ConfirmDialog
        open={open}
        title={isAdmin ? `Remove ${user.name} from admin?` : `Make ${user.name} an admin?`}
        text={`${user.email} ${isAdmin ? texts.removingAdmin : texts.makingAdmin}`}
        confirm={isAdmin ? texts.removeAdmin : texts.makeAdmin}
        onClose={onClose}
        onConfirm={() => {
          onClose();
          void toggle();
        }}
      />
      <ConfirmDialog
        open={doubt !== null}
        title={texts.doubtTitle(user.name)}
        text={`${doubt ?? ''} ${texts.doubtHint}`}
        confirm={texts.makeAdmin}
        onClose={dropDoubt}
        onConfirm={() => void toggle(true)}
      />
    </>
  );
}
