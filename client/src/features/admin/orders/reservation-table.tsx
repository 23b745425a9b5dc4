import { formatMomentIn } from '~/ui/format';
import { Link } from '~/ui/link';
import { formatPrice } from '~/ui/price';
import { Status } from '~/ui/status';
import { Head, NoRows, Table } from '~/ui/table';
import tableStyles from '~/ui/table.module.css';
import { EndReservation } from './end-reservation';
import styles from './order.module.css';
import type { ReservationRowFragment } from './reservation.generated';
import { texts } from './texts';

interface ReservationTableProps {
  reservations: readonly ReservationRowFragment[];
  /** Whose clock times are of. */
  timeZone: string;
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

function ReservationRow({ reservation, timeZone }: { reservation: ReservationRowFragment; timeZone: string }) {
  return (
    <tr>
      <th scope="row">
        <Buyer reservation={reservation} />
      </th>
      <td>
        <ul>
          {reservation.lines.map(({ variantId, productId, name, color, size, quantity }) => (
            <li key={variantId}>
              {quantity} x{' '}
              <Link to={`/admin/products/${productId}`} className="link">
                {name}
              </Link>
              , {color}, {size}
            </li>
          ))}
        </ul>
      </td>
      <td className={tableStyles.number} data-label="Value">
        {formatPrice(reservation.total)}
      </td>
      <td className={tableStyles.nowrap} data-label="Since">
        <time dateTime={reservation.since}>{formatMomentIn(timeZone, reservation.since)}</time>
      </td>
      <td className={tableStyles.nowrap} data-label="Held until">
        <time dateTime={reservation.until}>{formatMomentIn(timeZone, reservation.until)}</time>
      </td>
      <td className={tableStyles.nowrap}>
        <Status mark={reservation.hasPaymentForm ? 'half' : 'empty'}>
          {reservation.hasPaymentForm ? texts.paymentOpen : texts.paymentNotOpen}
        </Status>
      </td>
      <td className={tableStyles.actions}>
        <EndReservation reservation={reservation} />
      </td>
    </tr>
  );
}

/** Open checkouts: who holds what for a payment, and the way to end it. */
export function ReservationTable({ reservations, timeZone, stale }: ReservationTableProps) {
  if (reservations.length === 0) return <NoRows>{texts.noReservations}</NoRows>;
  return (
    <Table label={texts.reservations} stale={stale}>
      <thead>
        <tr>
          <Head>Buyer</Head>
          <Head>Pieces</Head>
          <Head number>Value</Head>
          <Head>Since</Head>
          <Head>Held until</Head>
          <Head>Payment</Head>
          <Head hidden>Controls</Head>
        </tr>
      </thead>
      <tbody>
        {reservations.map((reservation) => (
          <ReservationRow key={reservation.id} reservation={reservation} timeZone={timeZone} />
        ))}
      </tbody>
    </Table>
  );
}
