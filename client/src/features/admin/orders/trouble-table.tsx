import { useState } from 'react';
import { Button } from '~/ui/button';
import { formatMoment } from '~/ui/format';
import { Link } from '~/ui/link';
import { formatPrice } from '~/ui/price';
import { Status, type StatusMark } from '~/ui/status';
import { Head, NoRows, Table } from '~/ui/table';
import tableStyles from '~/ui/table.module.css';
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

const known: Record<string, { mark: StatusMark; words: string }> = {
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

function TroubleRow({ trouble }: { trouble: PaymentIssueRowFragment }) {
  const { mark, words } = known[trouble.status] ?? { mark: 'half', words: plain(trouble.status) };
  const [closing, setClosing] = useState(false);
  const retry = useRetry(trouble.id, trouble.orderVersion);
  const isOpen = trouble.kind === 'REFUND_FAILED' && trouble.status === 'failed';
  return (
    <tr>
      <th scope="row">{kinds[trouble.kind]}</th>
      <td className={tableStyles.nowrap}>
        <time dateTime={trouble.at}>{formatMoment(trouble.at)}</time>
      </td>
      <td>
        {trouble.orderId ? (
          <Link to={`/admin/orders/${trouble.orderId}`} className="link">
            {trouble.orderNumber}
          </Link>
        ) : (
          'No order'
        )}
      </td>
      <td>{trouble.email}</td>
      <td>{trouble.kind === 'DISPUTED' ? plain(trouble.reason) : trouble.reason}</td>
      <td className={tableStyles.number}>{formatPrice(trouble.amount)}</td>
      <td className={tableStyles.nowrap}>
        <Status mark={mark}>{words}</Status>
      </td>
      <td className={tableStyles.actions}>
        {isOpen && (
          <>
            {retry.refusal && <ChangedMeanwhile refusal={retry.refusal} onLook={retry.clearRefusal} />}
            <Button small working={retry.loading && 'Asking ...'} onClick={() => void retry.again()}>
              Try again
            </Button>
            <Button small onClick={() => setClosing(true)}>
              Close
            </Button>
            <CloseRefundDialog
              id={trouble.id}
              version={trouble.orderVersion}
              open={closing}
              onClose={() => setClosing(false)}
            />
          </>
        )}
      </td>
    </tr>
  );
}

/** Payments that something is or was wrong with. */
export function TroubleTable({ troubles, stale }: { troubles: readonly PaymentIssueRowFragment[]; stale: boolean }) {
  if (troubles.length === 0) return <NoRows>{texts.noTroubles}</NoRows>;
  return (
    <Table label="Payments that need somebody" stale={stale}>
      <thead>
        <tr>
          <Head>What happened</Head>
          <Head>Since</Head>
          <Head>Order</Head>
          <Head>E-mail</Head>
          <Head>Why</Head>
          <Head number>Amount</Head>
          <Head>State</Head>
          <Head hidden>Controls</Head>
        </tr>
      </thead>
      <tbody>
        {troubles.map((trouble) => (
          <TroubleRow key={`${trouble.kind} ${trouble.id}`} trouble={trouble} />
        ))}
      </tbody>
    </Table>
  );
}
