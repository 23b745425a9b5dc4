import { Link } from '~/ui/link';
import type { StockItemFragment } from './stock.generated';
import styles from './stock.module.css';

interface ItemCellProps {
  item: StockItemFragment;
  /** Where a press on the name leads: to the item's history. */
  to: string;
}

/** A variant as the header of its row. */
export function ItemCell({ item, to }: ItemCellProps) {
  return (
    <th scope="row">
      <Link to={to} className="link">
        {item.name}
      </Link>
      <span className={styles.variant}>
        <span className={styles.cloth} style={{ background: item.hex }} aria-hidden="true" />
        {item.color}, {item.size}
        {item.isRetired && ', retired'}
      </span>
    </th>
  );
}
