import { QueryStatus } from '~/graphql/query-status';
import { useMore } from '~/graphql/use-more';
import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog';
import { ErrorNote } from '~/ui/error-note';
import { formatNumber } from '~/ui/format';
import { MovementTable } from './movement-table';
import { type StockLedgerQuery, useStockLedgerQuery } from './stock.generated';
import styles from './stock.module.css';
import { texts } from './texts';
import { itemName, many } from './words';

type Ledger = NonNullable<StockLedgerQuery['admin']>;

function Sums({ level }: { level: Ledger['stockLevel'] }) {
  const sums = [
    { name: 'In stock', pieces: level.stock },
    { name: 'Reserved', pieces: level.reserved },
    { name: 'On the shelf', pieces: level.onShelf },
  ];
  return (
    <dl className={styles.sums}>
      {sums.map(({ name, pieces }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{formatNumber(pieces)}</dd>
        </div>
      ))}
    </dl>
  );
}

interface LedgerProps {
  ledger: Ledger;
  loading: boolean;
  onEarlier: () => void;
  refusal: string | null;
}

function Ledger({ ledger, loading, onEarlier, refusal }: LedgerProps) {
  const { stockLevel: level, stockMovements: movements } = ledger;
  return (
    <div className={styles.drawer}>
      <div>
        <p className={styles.sku}>{level.item.sku}</p>
        <Sums level={level} />
        <p className="small soft">
          {many(movements.totalCount, 'movement')} add up to {formatNumber(level.onShelf)} on the shelf
          {level.reserved > 0 && `, ${formatNumber(level.reserved)} of them held by open checkouts`}.
        </p>
      </div>
      <MovementTable movements={movements.nodes} />
      {refusal && <ErrorNote>{refusal}</ErrorNote>}
      {movements.pageInfo.hasNextPage && (
        <Button small working={loading && texts.fetching} onClick={onEarlier}>
          {texts.earlier}
        </Button>
      )}
    </div>
  );
}

/** Why an item's number is what it is: every piece that came or went, from today back to its opening. */
export function LedgerDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, loading, fetchMore } = useStockLedgerQuery({
    variables: { id },
    fetchPolicy: 'cache-and-network',
    notifyOnNetworkStatusChange: true,
  });
  const ledger = data?.admin;

  function fetchEarlier() {
    return fetchMore({
      variables: { after: ledger?.stockMovements.pageInfo.endCursor ?? null },
      updateQuery: (before, { fetchMoreResult: { admin } }) =>
        before.admin && admin
          ? {
              admin: {
                ...before.admin,
                stockMovements: {
                  ...admin.stockMovements,
                  nodes: [...before.admin.stockMovements.nodes, ...admin.stockMovements.nodes],
                },
              },
            }
          : before,
    });
  }
  const { more, refusal } = useMore(fetchEarlier, texts.ledgerFailed);

  return (
    <Dialog open side title={ledger ? itemName(ledger.stockLevel.item) : texts.movements} onClose={onClose}>
      {ledger && <Ledger ledger={ledger} loading={loading} onEarlier={more} refusal={refusal} />}
      {!ledger && <QueryStatus error={error} waiting={texts.ledgerWaiting} failed={texts.ledgerFailed} />}
    </Dialog>
  );
}
