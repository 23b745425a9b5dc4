import { type Column, DataTable } from '~/ui/data-table';
import { formatNumber } from '~/ui/format';
import { Link } from '~/ui/link';
import { Moment } from '~/ui/time-zone';
import { Item } from './item';
import type { StockItemFragment, StockMovementFragment } from './stock.generated';
import styles from './stock.module.css';
import { texts } from './texts';
import { reasons, signed } from './words';

type Movement = StockMovementFragment & { item?: StockItemFragment };

interface MovementTableProps {
  movements: readonly Movement[];
  stale?: boolean;
  empty?: string;
  /** Address of an item's history; without it the rows are all of one item. */
  ledgerOf?: (id: string) => string;
}

function Why({ movement }: { movement: StockMovementFragment }) {
  const { reason, orderId, orderNumber, note } = movement;
  return (
    <>
      {reasons[reason]}
      {orderId && (
        <>
          {', '}
          <Link to={`/admin/orders/${orderId}`} className="link">
            {orderNumber ?? 'an order'}
          </Link>
        </>
      )}
      {note && <p className={styles.note}>{note}</p>}
    </>
  );
}

/** Rows of the ledger: what came or went, why, and what it left. */
export function MovementTable({ movements, stale, empty, ledgerOf }: MovementTableProps) {
  const items: Column<Movement>[] = ledgerOf
    ? [
        {
          title: 'Item',
          isRowHeader: true,
          cell: ({ item }) => item && <Item item={item} to={ledgerOf(item.id)} />,
        },
      ]
    : [];
  return (
    <DataTable
      label={texts.movements}
      rows={movements}
      stale={stale}
      {...(empty && { empty })}
      columns={[
        { title: 'When', nowrap: true, cell: ({ at }) => <Moment at={at} /> },
        ...items,
        {
          title: 'Pieces',
          kind: 'number',
          label: true,
          className: ({ quantity }) => (quantity > 0 ? styles.came : styles.gone),
          cell: ({ quantity }) => signed(quantity),
        },
        { title: 'Left', kind: 'number', label: true, cell: ({ balance }) => formatNumber(balance) },
        {
          title: 'Why',
          className: styles.why,
          headClassName: styles.why,
          cell: (movement) => <Why movement={movement} />,
        },
        { title: 'Who', className: styles.note, cell: ({ actor }) => actor ?? texts.byShop },
      ]}
    />
  );
}
