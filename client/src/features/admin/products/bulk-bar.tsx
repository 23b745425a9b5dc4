import { ActionBar } from '~/ui/action-bar';
import { Button } from '~/ui/button';
import { formatNumber } from '~/ui/format';
import styles from './bulk.module.css';
import type { BulkKind } from './bulk-change';

interface BulkBarProps {
  /** Ticked rows, or everything that matches. */
  selected: number;
  /** Everything that matches; offered while only rows are ticked. */
  total: number;
  all: boolean;
  retired: boolean;
  /** Whether the viewer may retire and restore. */
  allowed: boolean;
  noteId: string;
  onAll: () => void;
  onNone: () => void;
  onChoose: (kind: BulkKind) => void;
}

/** What can be done to everything that is ticked. */
export function BulkBar({ selected, total, all, retired, allowed, noteId, onAll, onNone, onChoose }: BulkBarProps) {
  return (
    <ActionBar label="Selected products" role="group" className={styles.bar}>
      <p className="small">
        <span role="status">{all ? `All ${formatNumber(total)} selected` : `${formatNumber(selected)} selected`}</span>{' '}
        {!all && total > selected && (
          <button type="button" className="link" onClick={onAll}>
            Select all {formatNumber(total)} that match
          </button>
        )}{' '}
        <button type="button" className="link" onClick={onNone}>
          Select none
        </button>
      </p>
      <Button small onClick={() => onChoose('price')}>
        Price
      </Button>
      <Button small onClick={() => onChoose('discount')}>
        Discount
      </Button>
      <Button small onClick={() => onChoose('stock')}>
        Stock
      </Button>
      <Button
        small
        disabled={!allowed}
        aria-describedby={allowed ? undefined : noteId}
        onClick={() => onChoose(retired ? 'restore' : 'retire')}
      >
        {retired ? 'Restore' : 'Retire'}
      </Button>
    </ActionBar>
  );
}
