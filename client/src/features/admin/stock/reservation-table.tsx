import { DataTable } from '~/ui/data-table';
import { formatMinutesFromNow, formatNumber } from '~/ui/format';
import { Status } from '~/ui/status';
import { Moment } from '~/ui/time-zone';
import { Item } from './item';
import type { StockReservationFragment } from './stock.generated';
import styles from './stock.module.css';
import { texts } from './texts';

interface ReservationTableProps {
  reservations: readonly StockReservationFragment[];
  stale: boolean;
  empty: string;
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
export function ReservationTable({ reservations, stale, empty, now, ledgerOf }: ReservationTableProps) {
  return (
    <DataTable
      label={texts.reserved}
      rows={reservations}
      stale={stale}
      empty={empty}
      columns={[
        { title: 'Item', isRowHeader: true, cell: ({ item }) => <Item item={item} to={ledgerOf(item.id)} /> },
        { title: 'SKU', label: true, className: styles.sku, cell: ({ item }) => item.sku },
        { title: 'Pieces', kind: 'number', label: true, cell: ({ quantity }) => formatNumber(quantity) },
        {
          title: 'Since',
          label: true,
          className: styles.why,
          headClassName: styles.why,
          cell: ({ since }) => <Moment at={since} />,
        },
        { title: 'Given back', label: true, cell: (reservation) => <Until reservation={reservation} now={now} /> },
        { title: 'Who', cell: ({ email }) => email },
      ]}
    />
  );
}
