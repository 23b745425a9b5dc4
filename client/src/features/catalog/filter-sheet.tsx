import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog';
import type { Facet } from './facets';
import { Flag } from './flag';
import FilterPanel, { type FilterProps } from './filters';
import styles from './list-bar.module.css';

interface FilterSheetProps extends FilterProps {
  offered: readonly Facet[];
  total: number | undefined;
  onClear: () => void;
  onClose: () => void;
}

/** All filters on one sheet, for a phone; they take effect behind it as they are chosen. */
export default function FilterSheet({ offered, total, onClear, onClose, ...filter }: FilterSheetProps) {
  return (
    <Dialog open title="Filter" sheet onClose={onClose}>
      <div className={styles.sheet}>
        {offered
          .filter(({ kind }) => kind !== 'flag')
          .map((facet) => (
            <div key={facet.label} className={styles.part}>
              <p className={styles.legend}>{facet.label}</p>
              <FilterPanel facet={facet} {...filter} />
            </div>
          ))}
        <ul className={styles.flags}>
          {offered
            .filter((facet) => facet.kind === 'flag')
            .map((facet) => (
              <li key={facet.label}>
                <Flag facet={facet} {...filter} />
              </li>
            ))}
        </ul>
        <div className={styles.sheetActions}>
          <Button onClick={onClear}>Clear</Button>
          <Button kind="primary" centered onClick={onClose}>
            {total === undefined ? 'Show' : `Show ${total} ${total === 1 ? 'piece' : 'pieces'}`}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
