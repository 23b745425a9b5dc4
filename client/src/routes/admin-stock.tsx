import { useEffect, useState } from 'react';
import { ListPanel } from '~/features/admin/list';
import { Panel } from '~/features/admin/panel';
import { LedgerDrawer } from '~/features/admin/stock/ledger-drawer';
import { LevelTable } from '~/features/admin/stock/level-table';
import { MovementTable } from '~/features/admin/stock/movement-table';
import { ReservationTable } from '~/features/admin/stock/reservation-table';
import styles from '~/features/admin/stock/stock.module.css';
import { texts } from '~/features/admin/stock/texts';
import { reasons } from '~/features/admin/stock/words';
import { withoutDeduplication, useAdminEvents } from '~/features/admin/use-admin-events';
import type { StockReason, StockSort } from '~/graphql/schema.generated';
import { failure, listPage } from '~/graphql/list-page';
import { FilterBar } from '~/ui/filter-bar';
import { formatNumber } from '~/ui/format';
import { Link } from '~/ui/link';
import { TabPanel, Tabs } from '~/ui/tabs';
import { useListQuery } from '~/ui/use-list-query';
import { useSearchParams } from '~/ui/use-search-params';
import {
  useStockDepartmentsQuery,
  useStockLevelsQuery,
  useStockMovementsQuery,
  useStockReservationsQuery,
  useStockSummaryQuery,
} from './admin-stock.generated';

const ITEM = 'item';
const LOOK_AGAIN_MS = 30_000;

const beginning = { show: 'low', q: '', sort: '', gender: '', reason: 'all' };
const sorts: Record<string, StockSort> = { sku: 'SKU', least: 'LEAST', most: 'MOST' };

const isReason = (value: string): value is StockReason => value in reasons;

/** Which item's history is open; in the address, so that it can be linked to. */
function useOpenItem() {
  const [query, setQuery] = useSearchParams();

  function withItem(id: string | null) {
    const next = new URLSearchParams(query);
    if (id) next.set(ITEM, id);
    else next.delete(ITEM);
    return next;
  }

  return {
    id: query.get(ITEM),
    ledgerOf: (id: string) => `/admin/stock?${withItem(id)}`,
    close: () => setQuery(withItem(null), { replace: true }),
  };
}

type List = ReturnType<typeof useListQuery<typeof beginning>>;

interface ListProps {
  list: List;
  ledgerOf: (id: string) => string;
  onChanged: () => void;
}

const EVERYBODY = { value: '', label: 'Everybody' };

/** Whom garments are cut for: each department. */
function useCuts() {
  const { data } = useStockDepartmentsQuery({ fetchPolicy: 'cache-and-network' });
  const departments = data?.admin?.departments ?? [];
  return [EVERYBODY, ...departments.map(({ key, name }) => ({ value: key, label: name }))];
}

const reasonChoices = [
  { value: 'all', label: 'Every reason' },
  ...Object.entries(reasons).map(([value, label]) => ({ value, label })),
];

function Levels({ list, ledgerOf, onChanged }: ListProps) {
  const { show, q, gender } = list.values;
  const cuts = useCuts();
  const sort = list.values.sort || (show === 'low' ? 'least' : 'sku');
  const result = useStockLevelsQuery({
    variables: {
      filter: {
        search: q || null,
        level: show === 'low' ? 'LOW' : 'ALL',
        department: gender || null,
      },
      sort: sorts[sort] ?? 'SKU',
      after: list.after,
    },
    fetchPolicy: 'cache-and-network',
    context: withoutDeduplication,
  });
  useAdminEvents(() => void result.refetch());

  return (
    <ListPanel
      waiting={texts.waiting}
      failed={texts.failed}
      list={list}
      page={listPage(result, ({ admin }) => admin?.stock)}
      above={
        <FilterBar
          list={list}
          fields={[
            { name: 'q', kind: 'search', label: 'Find by name or SKU' },
            { name: 'gender', kind: 'choice', label: 'Cut for', options: cuts },
          ]}
        />
      }
    >
      {(levels, stale) => (
        <LevelTable
          levels={levels}
          stale={stale}
          empty={show === 'low' && !list.isNarrowed ? texts.nothingLow : texts.nothingFound}
          sort={sort}
          onSort={(by) => list.set({ sort: by })}
          ledgerOf={ledgerOf}
          onAdjusted={onChanged}
        />
      )}
    </ListPanel>
  );
}

function Reservations({ list, ledgerOf }: ListProps) {
  const [now, setNow] = useState(() => Date.now());
  const result = useStockReservationsQuery({
    variables: { search: list.values.q || null, after: list.after },
    fetchPolicy: 'cache-and-network',
    context: withoutDeduplication,
    pollInterval: LOOK_AGAIN_MS,
  });
  useAdminEvents(() => void result.refetch());
  useEffect(() => {
    const clock = setInterval(() => setNow(Date.now()), LOOK_AGAIN_MS);
    return () => clearInterval(clock);
  }, []);

  return (
    <ListPanel
      waiting={texts.waiting}
      failed={texts.failed}
      list={list}
      page={listPage(result, ({ admin }) => admin?.stockReservations)}
      above={<FilterBar list={list} fields={[{ name: 'q', kind: 'search', label: 'Find by e-mail, name or SKU' }]} />}
    >
      {(reservations, stale) => (
        <ReservationTable
          reservations={reservations}
          stale={stale}
          empty={list.values.q ? texts.nothingFound : texts.nothingReserved}
          now={now}
          ledgerOf={ledgerOf}
        />
      )}
    </ListPanel>
  );
}

function Movements({ list, ledgerOf }: ListProps) {
  const { q, reason } = list.values;
  const result = useStockMovementsQuery({
    variables: { filter: { search: q || null, reasons: isReason(reason) ? [reason] : null }, after: list.after },
    fetchPolicy: 'cache-and-network',
    context: withoutDeduplication,
  });
  useAdminEvents(() => void result.refetch());

  return (
    <ListPanel
      waiting={texts.waiting}
      failed={texts.failed}
      list={list}
      page={listPage(result, ({ admin }) => admin?.stockMovements)}
      above={
        <FilterBar
          list={list}
          fields={[
            { name: 'q', kind: 'search', label: 'Find by order, name or SKU' },
            { name: 'reason', kind: 'choice', label: 'Why', options: reasonChoices },
          ]}
        />
      }
    >
      {(movements, stale) => (
        <MovementTable
          movements={movements}
          stale={stale}
          empty={list.isNarrowed ? texts.nothingFound : texts.nothingMoved}
          ledgerOf={ledgerOf}
        />
      )}
    </ListPanel>
  );
}

const lists = { low: Levels, all: Levels, reserved: Reservations, movements: Movements };

function labelled(label: string, number: number | undefined) {
  return number ? `${label} ${formatNumber(number)}` : label;
}

/** What lies where, what is nearly gone, what checkouts hold, and how it all came to that. */
export default function StockScreen() {
  const list = useListQuery(beginning);
  const { data, error, refetch } = useStockSummaryQuery({
    fetchPolicy: 'cache-and-network',
    context: withoutDeduplication,
  });
  useAdminEvents(() => void refetch());
  const item = useOpenItem();
  const summary = data?.admin?.stockSummary;
  const chosen = list.values.show in lists ? (list.values.show as keyof typeof lists) : 'low';
  const Shown = lists[chosen];

  return (
    <>
      <Panel
        title={texts.title}
        waiting={texts.waiting}
        failed={failure(error, texts.failed)}
        onRetry={() => void refetch()}
        aside={
          <Link to="/admin/import" className="link">
            {texts.importLink}
          </Link>
        }
      >
        {summary && (
          <div className={styles.section}>
            <Tabs
              label={texts.title}
              name="stock"
              tabs={[
                { id: 'low', label: labelled(texts.low, summary.low) },
                { id: 'all', label: texts.all },
                { id: 'reserved', label: labelled(texts.reserved, summary.reserved) },
                { id: 'movements', label: texts.movements },
              ]}
              chosen={chosen}
              onChoose={(show) => list.set({ ...beginning, show })}
            />
            <TabPanel name="stock" chosen={chosen}>
              <div className={styles.section}>
                {chosen === 'low' && (
                  <p className="small soft">
                    {summary.threshold === 0
                      ? 'Items that are sold out.'
                      : `Items with ${formatNumber(summary.threshold)} or fewer left, ${formatNumber(summary.soldOut)} of them sold out.`}
                  </p>
                )}
                <Shown key={chosen} list={list} ledgerOf={item.ledgerOf} onChanged={() => void refetch()} />
              </div>
            </TabPanel>
          </div>
        )}
      </Panel>
      {item.id && <LedgerDrawer key={item.id} id={item.id} onClose={item.close} />}
    </>
  );
}
