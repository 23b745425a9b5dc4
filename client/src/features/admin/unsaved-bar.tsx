import { ActionBar } from '~/ui/action-bar';
import { Button } from '~/ui/button';
import { texts as ui } from '~/ui/account-texts';
import type { Change } from './changes';
import styles from './unsaved-bar.module.css';

interface UnsavedBarProps {
  changes: readonly Change[];
  /** Fields that keep the form from being saved. */
  broken: number;
  /** Pictures still on their way. */
  uploading?: number;
  saving: boolean;
  onUndo: () => void;
}

const NAMED = 5;

function sentence(changes: readonly Change[]): string {
  const names = changes.slice(0, NAMED).map(({ label }) => label);
  const rest = changes.length - names.length;
  const list = rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ');
  return `${changes.length === 1 ? '1 unsaved change' : `${changes.length} unsaved changes`}: ${list}.`;
}

/** What has been changed here and not saved, by name; Undo and Save Changes. */
export function UnsavedBar({ changes, broken, uploading = 0, saving, onUndo }: UnsavedBarProps) {
  return (
    <ActionBar label="Unsaved changes">
      <p className="small">
        <span className={styles.named}>{sentence(changes)} </span>
        {uploading > 0 && (
          <span>{uploading === 1 ? '1 picture is on its way. ' : `${uploading} pictures are on their way. `}</span>
        )}
        {broken > 0 && (
          <span className={styles.broken}>
            {broken === 1 ? '1 field needs attention.' : `${broken} fields need attention.`}
          </span>
        )}
      </p>
      <Button small disabled={saving} onClick={onUndo}>
        Undo
      </Button>
      <Button
        small
        kind="primary"
        type="submit"
        disabled={broken > 0 || uploading > 0}
        working={saving && ui.savingChanges}
      >
        {ui.saveChanges}
      </Button>
    </ActionBar>
  );
}
