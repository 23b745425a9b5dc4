import { DataTable } from '~/ui/data-table';
import { Link } from '~/ui/link';
import { formatPrice } from '~/ui/price';
import { Status } from '~/ui/status';
import { Moment } from '~/ui/time-zone';
import { EndReservation } from './end-reservation';
import styles from './order.module.css';
import type { ReservationRowFragment } from './reservation.generated';
import { texts } from './texts';

interface ReservationTableProps {
  reservations: readonly ReservationRowFragment[];
  stale: boolean;
}

function Buyer({ reservation: { buyerId, name, email } }: { reservation: ReservationRowFragment }) {
  if (buyerId === null) return email;
  return (
    <>
      <Link to={`/admin/customers/${buyerId}`} className="link">
        {name}
      </Link>
      <span className={styles.choice}>{email}</span>
    </>
  );
}

function Pieces({ lines }: Pick<ReservationRowFragment, 'lines'>) {
  return (
    <ul>
      {lines.map(({ variantId, productId, name, color, size, quantity }) => (
        <li key={variantId}>
          {quantity} x{' '}
          <Link to={`/admin/products/${productId}`} className="link">
            {name}
          </Link>
          , {color}, {size}
        </li>
      ))}
    </ul>
  );
}

/** Open checkouts: who holds what for a payment, and the way to end it. */
export function ReservationTable({ reservations, stale }: ReservationTableProps) {
  return (
    <DataTable
      label={texts.reservations}
      rows={reservations}
      stale={stale}
      empty={texts.noReservations}
      columns={[
        { title: 'Buyer', isRowHeader: true, cell: (reservation) => <Buyer reservation={reservation} /> },
        { title: 'Pieces', cell: ({ lines }) => <Pieces lines={lines} /> },
        { title: 'Value', kind: 'number', label: true, cell: ({ total }) => formatPrice(total) },
        { title: 'Since', nowrap: true, label: true, cell: ({ since }) => <Moment at={since} /> },
        { title: 'Held until', nowrap: true, label: true, cell: ({ until }) => <Moment at={until} /> },
        {
          title: 'Payment',
          nowrap: true,
          cell: ({ hasPaymentForm }) => (
            <Status mark={hasPaymentForm ? 'half' : 'empty'}>
              {hasPaymentForm ? texts.paymentOpen : texts.paymentNotOpen}
            </Status>
          ),
        },
        { title: 'Controls', kind: 'controls', cell: (reservation) => <EndReservation reservation={reservation} /> },
      ]}
    />
  );
}
