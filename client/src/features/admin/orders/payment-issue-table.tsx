import { useState } from 'react';
import { Button } from '~/ui/button';
import { type Column, DataTable } from '~/ui/data-table';
import { Link } from '~/ui/link';
import { formatPrice } from '~/ui/price';
import { Status, type StatusMark } from '~/ui/status';
import { Moment } from '~/ui/time-zone';
import { ChangedMeanwhile } from './changed-meanwhile';
import { CloseRefundDialog } from './close-refund';
import type { PaymentIssueRowFragment } from './order.generated';
import { texts } from './texts';
import { useRetry } from './use-retry';

const kinds = {
  UNFULFILLABLE: 'Paid, but could not be ordered',
  REFUND_FAILED: 'Refund failed',
  DISPUTED: 'Disputed by the bank',
} as const;

const statuses: Record<string, { mark: StatusMark; words: string }> = {
  pending: { mark: 'half', words: 'Money goes back' },
  succeeded: { mark: 'full', words: 'Paid back' },
  failed: { mark: 'cross', words: 'Needs you' },
  closed: { mark: 'full', words: 'Dealt with' },
  needs_response: { mark: 'cross', words: 'Needs an answer' },
  under_review: { mark: 'half', words: 'Under review' },
  won: { mark: 'full', words: 'Won' },
  lost: { mark: 'empty', words: 'Lost' },
};

/** A word of the provider's, as people write it. */
const plain = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ');

function State({ issue: { status } }: { issue: PaymentIssueRowFragment }) {
  const { mark, words } = statuses[status] ?? { mark: 'half', words: plain(status) };
  return <Status mark={mark}>{words}</Status>;
}

function Decision({ issue }: { issue: PaymentIssueRowFragment }) {
  const [closing, setClosing] = useState(false);
  const retry = useRetry(issue.id, issue.orderVersion);
  if (issue.kind !== 'REFUND_FAILED' || issue.status !== 'failed') return null;
  return (
    <>
      {retry.refusal && <ChangedMeanwhile refusal={retry.refusal} onLook={retry.clearRefusal} />}
      <Button small working={retry.loading && 'Asking ...'} onClick={() => void retry.again()}>
        Try again
      </Button>
      <Button small onClick={() => setClosing(true)}>
        Close
      </Button>
      <CloseRefundDialog id={issue.id} version={issue.orderVersion} open={closing} onClose={() => setClosing(false)} />
    </>
  );
}

const columns: readonly Column<PaymentIssueRowFragment>[] = [
  { title: 'What happened', isRowHeader: true, cell: ({ kind }) => kinds[kind] },
  { title: 'Since', nowrap: true, cell: ({ at }) => <Moment at={at} /> },
  {
    title: 'Order',
    cell: ({ orderId, orderNumber }) =>
      orderId ? (
        <Link to={`/admin/orders/${orderId}`} className="link">
          {orderNumber}
        </Link>
      ) : (
        'No order'
      ),
  },
  { title: 'E-mail', cell: ({ email }) => email },
  { title: 'Why', cell: ({ kind, reason }) => (kind === 'DISPUTED' ? plain(reason) : reason) },
  { title: 'Amount', kind: 'number', cell: ({ amount }) => formatPrice(amount) },
  { title: 'State', nowrap: true, cell: (issue) => <State issue={issue} /> },
  { title: 'Controls', kind: 'controls', cell: (issue) => <Decision issue={issue} /> },
];

/** Payments that something is or was wrong with. */
export function PaymentIssueTable({ issues, stale }: { issues: readonly PaymentIssueRowFragment[]; stale: boolean }) {
  return (
    <DataTable
      label="Payments that need somebody"
      rows={issues}
      keyOf={({ kind, id }) => `${kind} ${id}`}
      stale={stale}
      empty={texts.noTroubles}
      columns={columns}
    />
  );
}
