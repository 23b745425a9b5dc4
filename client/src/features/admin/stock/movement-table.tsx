import { formatMoment, formatNumber } from '~/ui/format';
import { Link } from '~/ui/link';
import { Head, Table } from '~/ui/table';
import table from '~/ui/table.module.css';
import { ItemCell } from './item-cell';
import type { StockItemFragment, StockMovementFragment } from './stock.generated';
import styles from './stock.module.css';
import { texts } from './texts';
import { reasons, signed } from './words';

interface MovementTableProps {
  movements: readonly (StockMovementFragment & { item?: StockItemFragment })[];
  stale?: boolean;
  /** Address of an item's history; without it the rows are all of one item. */
  ledgerOf?: (id: string) => string;
}

function Why({ movement }: { movement: StockMovementFragment }) {
  const { reason, orderId, orderNumber, note } = movement;
  return (
    <td className={styles.why}>
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
    </td>
  );
}

/** Rows of the ledger: what came or went, why, and what it left. */
export function MovementTable({ movements, stale, ledgerOf }: MovementTableProps) {
  return (
    <Table label={texts.movements} stale={stale}>
      <thead>
        <tr>
          <Head>When</Head>
          {ledgerOf && <Head>Item</Head>}
          <Head number>Pieces</Head>
          <Head number>Left</Head>
          <Head className={styles.why}>Why</Head>
          <Head>Who</Head>
        </tr>
      </thead>
      <tbody>
        {movements.map((movement) => (
          <tr key={movement.id}>
            <td className={table.nowrap}>
              <time dateTime={movement.at}>{formatMoment(movement.at)}</time>
            </td>
            {ledgerOf && movement.item && <ItemCell item={movement.item} to={ledgerOf(movement.item.id)} />}
            <td className={`${table.number} ${movement.quantity > 0 ? styles.came : styles.gone}`} data-label="Pieces">
              {signed(movement.quantity)}
            </td>
            <td className={table.number} data-label="Left">
              {formatNumber(movement.balance)}
            </td>
            <Why movement={movement} />
            <td className={styles.note}>{movement.actor ?? texts.byShop}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
