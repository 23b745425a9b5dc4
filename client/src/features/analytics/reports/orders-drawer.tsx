import type { ReportFilter, ReportRange } from '~/graphql/schema.generated';
import { QueryStatus } from '~/graphql/query-status';
import { useMore } from '~/graphql/use-more';
import { Button } from '~/ui/button';
import { type Column, DataTable } from '~/ui/data-table';
import { Dialog } from '~/ui/dialog';
import { ErrorNote } from '~/ui/error-note';
import { formatMomentIn, formatNumber } from '~/ui/format';
import { Link } from '~/ui/link';
import { formatPrice } from '~/ui/price';
import { NoRows } from '~/ui/table';
import styles from './builder.module.css';
import { type OrdersBehindQuery, useOrdersBehindQuery } from './report.generated';
import { texts } from './texts';
import { memberWords } from './words';

type Report = NonNullable<NonNullable<OrdersBehindQuery['admin']>['analytics']['report']>;
type Order = Report['totals']['behind']['nodes'][number];

const columnsIn = (timeZone: string): readonly Column<Order>[] => [
  {
    title: 'Order',
    isRowHeader: true,
    cell: ({ id, number }) => (
      <Link to={`/admin/orders/${id}`} className="link">
        {number}
      </Link>
    ),
  },
  {
    title: 'Placed',
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatMomentIn(timeZone, createdAt)}</time>,
  },
  { title: 'E-mail', cell: ({ email }) => email },
  { title: 'Payment', cell: ({ paymentStatus }) => memberWords('PAYMENT_STATUS', paymentStatus.toLowerCase()) },
  { title: 'Total', kind: 'number', cell: ({ totalAmount }) => formatPrice(totalAmount) },
];

interface OrdersDrawerProps {
  /** What the row stands for. */
  words: string;
  query: { range: ReportRange; where: ReportFilter | null };
  /** Whose clock times are of. */
  timeZone: string;
  onClose: () => void;
}

/** The orders that one row of a report was counted from, the latest first. */
export function OrdersDrawer({ words, query, timeZone, onClose }: OrdersDrawerProps) {
  const { data, error, loading, fetchMore } = useOrdersBehindQuery({
    variables: query,
    fetchPolicy: 'no-cache',
    notifyOnNetworkStatusChange: true,
  });
  const behind = data?.admin?.analytics.report?.totals.behind;

  function fetchPage() {
    return fetchMore({
      variables: { after: behind?.pageInfo.endCursor ?? null },
      updateQuery: (before, { fetchMoreResult }) => appended(before, fetchMoreResult),
    });
  }
  const { more, refusal } = useMore(fetchPage, texts.behindFailed);

  return (
    <Dialog open side title={words || texts.behindTitle} onClose={onClose}>
      {!behind && <QueryStatus error={error} waiting={texts.behindWaiting} failed={texts.behindFailed} />}
      {behind && behind.nodes.length === 0 && <NoRows>{texts.noOrders}</NoRows>}
      {behind && behind.nodes.length > 0 && (
        <div className={styles.drawer}>
          <p className="small soft">
            {behind.totalCount === 1 ? '1 order' : `${formatNumber(behind.totalCount ?? 0)} orders`}, paid or paid back
            in it, the latest first.
          </p>
          <DataTable label={texts.behindTitle} rows={behind.nodes} columns={columnsIn(timeZone)} />
          {refusal && <ErrorNote>{refusal}</ErrorNote>}
          {behind.pageInfo.hasNextPage && (
            <Button small working={loading && texts.fetching} onClick={more}>
              {texts.more}
            </Button>
          )}
        </div>
      )}
    </Dialog>
  );
}

function appended(before: OrdersBehindQuery, more: OrdersBehindQuery): OrdersBehindQuery {
  const [shown, next] = [before.admin?.analytics.report, more.admin?.analytics.report];
  if (!before.admin || !shown || !next) return before;
  const nodes = [...shown.totals.behind.nodes, ...next.totals.behind.nodes];
  const report = { ...shown, totals: { ...shown.totals, behind: { ...next.totals.behind, nodes } } };
  return { admin: { ...before.admin, analytics: { ...before.admin.analytics, report } } };
}
