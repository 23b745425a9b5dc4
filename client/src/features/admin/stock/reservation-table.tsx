import { formatMinutesFromNow, formatMoment, formatNumber } from '~/ui/format';
import { Head, Table } from '~/ui/table';
import table from '~/ui/table.module.css';
import { Status } from '~/ui/status';
import { ItemCell } from './item-cell';
import type { StockReservationFragment } from './stock.generated';
import styles from './stock.module.css';
import { texts } from './texts';

interface ReservationTableProps {
  reservations: readonly StockReservationFragment[];
  stale: boolean;
  /** Epoch milliseconds. */
  now: number;
  ledgerOf: (id: string) => string;
}

function Until({ reservation, now }: { reservation: StockReservationFragment; now: number }) {
  const minutes = Math.ceil((Date.parse(reservation.until) - now) / 60_000);
  if (reservation.isPaid) return <Status mark="half">{texts.paymentOnItsWay}</Status>;
  if (minutes <= 0) return <Status mark="broken">{texts.releasing}</Status>;
  return <time dateTime={reservation.until}>{formatMinutesFromNow(minutes)}</time>;
}

/** What open checkouts hold: of what, how many, since when, until when, and who. */
export function ReservationTable({ reservations, stale, now, ledgerOf }: ReservationTableProps) {
  return (
    <Table label={texts.reserved} stale={stale}>
      <thead>
        <tr>
          <Head>Item</Head>
          <Head>SKU</Head>
          <Head number>Pieces</Head>
          <Head className={styles.why}>Since</Head>
          <Head>Given back</Head>
          <Head>Who</Head>
        </tr>
      </thead>
      <tbody>
        {reservations.map((reservation) => (
          <tr key={reservation.id}>
            <ItemCell item={reservation.item} to={ledgerOf(reservation.item.id)} />
            <td className={styles.sku} data-label="SKU">
              {reservation.item.sku}
            </td>
            <td className={table.number} data-label="Pieces">
              {formatNumber(reservation.quantity)}
            </td>
            <td data-label="Since" className={styles.why}>
              <time dateTime={reservation.since}>{formatMoment(reservation.since)}</time>
            </td>
            <td data-label="Given back">
              <Until reservation={reservation} now={now} />
            </td>
            <td>{reservation.email}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
