import { Link } from '~/ui/link';
import type { StockItemFragment } from './stock.generated';
import styles from './stock.module.css';

interface ItemProps {
  item: StockItemFragment;
  /** Where a press on the name leads: to the item's history. */
  to: string;
}

/** A variant, as it names its row. */
export function Item({ item, to }: ItemProps) {
  return (
    <>
      <Link to={to} className="link">
        {item.name}
      </Link>
      <span className={styles.variant}>
        <span className={styles.cloth} style={{ background: item.hex }} aria-hidden="true" />
        {item.color}, {item.size}
        {item.isRetired && ', retired'}
      </span>
    </>
  );
}
