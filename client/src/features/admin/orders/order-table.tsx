import { formatMomentIn } from '~/ui/format';
import { Link } from '~/ui/link';
import { formatPrice } from '~/ui/price';
import { Status } from '~/ui/status';
import { Head, NoRows, Table } from '~/ui/table';
import tableStyles from '~/ui/table.module.css';
import styles from './order.module.css';
import type { AdminOrderRowFragment } from './order.generated';
import { fulfilments, payments } from './statuses';
import { texts } from './texts';

interface OrderTableProps {
  orders: readonly AdminOrderRowFragment[];
  /** Whose clock times are of. */
  timeZone: string;
  stale: boolean;
  sort: string;
  onSort: (sort: string) => void;
}

function OrderRow({ order, timeZone }: { order: AdminOrderRowFragment; timeZone: string }) {
  const payment = payments[order.paymentStatus];
  const fulfilment = fulfilments[order.fulfilment];
  return (
    <tr>
      <th scope="row" className={tableStyles.nowrap}>
        <Link to={`/admin/orders/${order.id}`} className="link">
          {order.number}
        </Link>
      </th>
      <td className={tableStyles.nowrap}>
        <time dateTime={order.createdAt}>{formatMomentIn(timeZone, order.createdAt)}</time>
      </td>
      <td className={tableStyles.nowrap}>{order.shippingAddress.name}</td>
      <td className={styles.roomy}>{order.email}</td>
      <td className={tableStyles.nowrap}>
        <Status mark={payment.mark}>{payment.words}</Status>
      </td>
      <td className={tableStyles.nowrap}>
        <Status mark={fulfilment.mark}>{fulfilment.words}</Status>
      </td>
      <td className={`${tableStyles.number} ${styles.roomy}`} data-label="Pieces">
        {order.pieceCount}
      </td>
      <td className={tableStyles.number}>{formatPrice(order.totalAmount)}</td>
    </tr>
  );
}

/** Orders, a line each. */
export function OrderTable({ orders, timeZone, stale, sort, onSort }: OrderTableProps) {
  if (orders.length === 0) return <NoRows>{texts.noOrders}</NoRows>;
  const sorted = (down: string, up: string) => (sort === down ? 'descending' : sort === up ? 'ascending' : 'none');
  return (
    <Table label="Orders" stale={stale}>
      <thead>
        <tr>
          <Head>Order</Head>
          <Head sorted={sorted('newest', 'oldest')} onSort={() => onSort(sort === 'newest' ? 'oldest' : 'newest')}>
            Placed
          </Head>
          <Head>Name</Head>
          <Head className={styles.roomy}>E-mail</Head>
          <Head>Payment</Head>
          <Head>Sending</Head>
          <Head number className={styles.roomy}>
            Pieces
          </Head>
          <Head
            number
            sorted={sorted('highest', 'lowest')}
            onSort={() => onSort(sort === 'highest' ? 'lowest' : 'highest')}
          >
            Total
          </Head>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <OrderRow key={order.id} order={order} timeZone={timeZone} />
        ))}
      </tbody>
    </Table>
  );
}
