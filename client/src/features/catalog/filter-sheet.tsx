import { Button } from '~/ui/button';
import { Checkbox } from '~/ui/choice';
import { Dialog } from '~/ui/dialog';
import FilterPanel, { type FilterProps } from './filters';
import styles from './list-bar.module.css';

interface FilterSheetProps extends FilterProps {
  total: number | undefined;
  onClear: () => void;
  onClose: () => void;
}

/** All filters on one sheet, for a phone; they take effect behind it as they are chosen. */
export default function FilterSheet({ total, onClear, onClose, ...filter }: FilterSheetProps) {
  const { narrowing, narrow } = filter;
  return (
    <Dialog open title="Filter" sheet onClose={onClose}>
      <div className={styles.sheet}>
        <div className={styles.part}>
          <p className={styles.legend}>Size</p>
          <FilterPanel of="size" {...filter} />
        </div>
        <div className={styles.part}>
          <p className={styles.legend}>Color</p>
          <FilterPanel of="color" {...filter} />
        </div>
        <div className={styles.part}>
          <p className={styles.legend}>Price</p>
          <FilterPanel of="price" key={`${narrowing.priceFrom}-${narrowing.priceTo}`} {...filter} />
        </div>
        <ul className={styles.flags}>
          <li>
            <Checkbox checked={narrowing.inStock} onChange={({ target }) => narrow({ inStock: target.checked })}>
              In stock
            </Checkbox>
          </li>
          <li>
            <Checkbox checked={narrowing.onSale} onChange={({ target }) => narrow({ onSale: target.checked })}>
              On sale
            </Checkbox>
          </li>
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
