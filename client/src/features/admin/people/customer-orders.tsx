import type { PaymentStatus } from '~/graphql/schema.generated';
import { DataTable } from '~/ui/data-table';
import { formatDayIn } from '~/ui/format';
import { Link } from '~/ui/link';
import { formatPrice } from '~/ui/price';
import { Status, type StatusMark } from '~/ui/status';
import { Moment } from '~/ui/time-zone';
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
  return (
    <DataTable
      label="Orders"
      rows={orders}
      empty={texts.noOrders}
      columns={[
        {
          title: 'Order',
          isRowHeader: true,
          cell: ({ id, number }) => (
            <Link to={`/admin/orders/${id}`} className="link">
              {number}
            </Link>
          ),
        },
        { title: 'Placed', cell: ({ createdAt }) => <Moment at={createdAt} format={formatDayIn} /> },
        {
          title: 'Payment',
          cell: ({ paymentStatus }) => (
            <Status mark={statuses[paymentStatus].mark}>{statuses[paymentStatus].words}</Status>
          ),
        },
        { title: 'Total', kind: 'number', cell: ({ totalAmount }) => formatPrice(totalAmount) },
        {
          title: 'Refunded',
          kind: 'number',
          label: true,
          cell: ({ refundedAmount }) => (Number(refundedAmount) ? formatPrice(refundedAmount) : '-'),
        },
      ]}
    />
  );
}
