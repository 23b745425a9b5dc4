import { ConfirmDialog } from '~/ui/dialog';
import { texts } from './texts';
import type { useLeaveGuard } from './use-leave-guard';

interface LeaveDialogProps {
  guard: ReturnType<typeof useLeaveGuard>;
  /** Labels of what would be lost. */
  changes: readonly string[];
}

/** Asks whether to leave a form with changes that are not saved. */
export function LeaveDialog({ guard, changes }: LeaveDialogProps) {
  return (
    <ConfirmDialog
      open={guard.leaving}
      title={texts.leaveTitle}
      text={`${texts.leaveText} ${changes.join(', ')}.`}
      confirm={texts.leave}
      dismiss={texts.stay}
      onClose={guard.stay}
      onConfirm={guard.leave}
    />
  );
}
