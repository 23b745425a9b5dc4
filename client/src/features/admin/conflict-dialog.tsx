import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog';
import type { Change } from './changes';
import styles from './conflict-dialog.module.css';

interface ConflictDialogProps {
  title: string;
  /** E-mail of the other admin; empty when unknown. */
  by?: string;
  theirs: readonly Change[];
  mine: readonly Change[];
  onKeep: () => void;
  onDiscard: () => void;
}

const inWords = ({ label, from, to }: Change) => (from === undefined ? label : `${label}, ${from} to ${to}`);

/** Another admin has saved the same thing meanwhile: shows their changes and offers to merge or discard one's own. */
export function ConflictDialog({ title, by, theirs, mine, onKeep, onDiscard }: ConflictDialogProps) {
  const both = mine.filter(({ key }) => theirs.some((change) => change.key === key));
  return (
    <Dialog open title={title} onClose={onKeep}>
      <div className={styles.dialog}>
        <p>
          {by ? `${by} has changed it` : 'It was changed'} while you were editing. Nothing of yours is saved yet, and
          nothing is lost.
        </p>
        <ul className={styles.list} aria-label="Changed meanwhile">
          {theirs.map((change) => (
            <li key={change.key}>{inWords(change)}</li>
          ))}
        </ul>
        {both.length > 0 && (
          <p>
            You have changed the same: {both.map(({ label }) => label).join(', ')}. If you keep your changes, saving
            writes yours.
          </p>
        )}
        <div className={styles.row}>
          <Button small onClick={onDiscard}>
            Discard my changes
          </Button>
          <Button small kind="primary" onClick={onKeep}>
            Keep my changes
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
