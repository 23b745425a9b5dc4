import { DataTable } from '~/ui/data-table';
import { Link } from '~/ui/link';
import { formatPrice } from '~/ui/price';
import { Status } from '~/ui/status';
import { Moment } from '~/ui/time-zone';
import styles from './order.module.css';
import type { AdminOrderRowFragment } from './order.generated';
import { fulfilments, payments } from './statuses';
import { texts } from './texts';

interface OrderTableProps {
  orders: readonly AdminOrderRowFragment[];
  stale: boolean;
  sort: string;
  onSort: (sort: string) => void;
}

/** Orders, a line each. */
export function OrderTable({ orders, stale, sort, onSort }: OrderTableProps) {
  return (
    <DataTable
      label="Orders"
      rows={orders}
      stale={stale}
      empty={texts.noOrders}
      sorting={{ by: sort, onSort }}
      columns={[
        {
          title: 'Order',
          isRowHeader: true,
          nowrap: true,
          cell: ({ id, number }) => (
            <Link to={`/admin/orders/${id}`} className="link">
              {number}
            </Link>
          ),
        },
        {
          title: 'Placed',
          nowrap: true,
          sorts: { descending: 'newest', ascending: 'oldest', first: 'newest' },
          cell: ({ createdAt }) => <Moment at={createdAt} />,
        },
        { title: 'Name', nowrap: true, cell: ({ shippingAddress }) => shippingAddress.name },
        { title: 'E-mail', className: styles.roomy, headClassName: styles.roomy, cell: ({ email }) => email },
        {
          title: 'Payment',
          nowrap: true,
          cell: ({ paymentStatus }) => (
            <Status mark={payments[paymentStatus].mark}>{payments[paymentStatus].words}</Status>
          ),
        },
        {
          title: 'Sending',
          nowrap: true,
          cell: ({ fulfilment }) => (
            <Status mark={fulfilments[fulfilment].mark}>{fulfilments[fulfilment].words}</Status>
          ),
        },
        {
          title: 'Pieces',
          kind: 'number',
          label: true,
          className: styles.roomy,
          headClassName: styles.roomy,
          cell: ({ pieceCount }) => pieceCount,
        },
        {
          title: 'Total',
          kind: 'number',
          sorts: { descending: 'highest', ascending: 'lowest', first: 'highest' },
          cell: ({ totalAmount }) => formatPrice(totalAmount),
        },
      ]}
    />
  );
}
