import type { CartLineFragment } from './cart-line.generated';
import styles from './removed-lines.module.css';
import { texts } from './cart-texts';

interface RemovedLinesProps {
  lines: readonly CartLineFragment[];
  onUndo: (line: CartLineFragment) => void;
}

/** What was removed a moment ago, with the way back, for longer than the message about it is seen. */
export function RemovedLines({ lines, onUndo }: RemovedLinesProps) {
  if (lines.length === 0) return null;
  return (
    <ul className={styles.removed} aria-label="Removed">
      {lines.map((line) => (
        <li key={line.id}>
          <span>{texts.removedPiece(`${line.product.name}, ${line.variant.color.name}, ${line.variant.size}`)}</span>
          <button
            type="button"
            className="link small"
            aria-label={`${texts.undo}: ${line.product.name}`}
            onClick={() => onUndo(line)}
          >
            {texts.undo}
          </button>
        </li>
      ))}
    </ul>
  );
}
