import type { PaymentStatus } from '~/graphql/schema.generated';
import { formatDay } from '~/ui/format';
import { Link } from '~/ui/link';
import { formatPrice } from '~/ui/price';
import { Status, type StatusMark } from '~/ui/status';
import { Head, NoRows, Table } from '~/ui/table';
import styles from '~/ui/table.module.css';
import type { CustomerOrderFragment } from './customer.generated';
import { texts } from './texts';

const statuses: Record<PaymentStatus, { mark: StatusMark; words: string }> = {
  PAID: { mark: 'full', words: 'Paid' },
  PROCESSING: { mark: 'half', words: 'Processing' },
  FAILED: { mark: 'cross', words: 'Failed' },
  REFUNDED: { mark: 'empty', words: 'Refunded' },
  PARTIALLY_REFUNDED: { mark: 'broken', words: 'Partially refunded' },
};

/** What the account has bought, newest first. */
export function CustomerOrders({ orders }: { orders: readonly CustomerOrderFragment[] }) {
  if (orders.length === 0) return <NoRows>{texts.noOrders}</NoRows>;
  return (
    <Table label="Orders">
      <thead>
        <tr>
          <Head>Order</Head>
          <Head>Placed</Head>
          <Head>Payment</Head>
          <Head number>Total</Head>
          <Head number>Refunded</Head>
        </tr>
      </thead>
      <tbody>
        {orders.map(({ id, number, createdAt, paymentStatus, totalAmount, refundedAmount }) => (
          <tr key={id}>
            <th scope="row">
              <Link to={`/admin/orders/${id}`} className="link">
                {number}
              </Link>
            </th>
            <td>{formatDay(createdAt)}</td>
            <td>
              <Status mark={statuses[paymentStatus].mark}>{statuses[paymentStatus].words}</Status>
            </td>
            <td className={styles.number}>{formatPrice(totalAmount)}</td>
            <td className={styles.number} data-label="Refunded">
              {Number(refundedAmount) ? formatPrice(refundedAmount) : '-'}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
