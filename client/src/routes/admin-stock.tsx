import { useEffect, useState } from 'react';
import { Panel, StaleNote } from '~/features/admin/panel';
import { LedgerDrawer } from '~/features/admin/stock/ledger-drawer';
import { LevelTable } from '~/features/admin/stock/level-table';
import { MovementTable } from '~/features/admin/stock/movement-table';
import { ReservationTable } from '~/features/admin/stock/reservation-table';
import styles from '~/features/admin/stock/stock.module.css';
import { texts } from '~/features/admin/stock/texts';
import { reasons } from '~/features/admin/stock/words';
import { askedAnew, useAdminEvents } from '~/features/admin/use-admin-events';
import type { StockReason, StockSort } from '~/graphql/schema.generated';
import { serverWords } from '~/graphql/settled';
import { Select } from '~/ui/field';
import { formatNumber } from '~/ui/format';
import { Link } from '~/ui/link';
import { ListSearch } from '~/ui/list-search';
import { Pager } from '~/ui/pager';
import { Filters, NoRows } from '~/ui/table';
import { TabPanel, Tabs } from '~/ui/tabs';
import { useListQuery } from '~/ui/use-list-query';
import { useSearchParams } from '~/ui/use-search-params';
import {
  useStockLevelsQuery,
  useStockMovementsQuery,
  useStockReservationsQuery,
  useStockSummaryQuery,
} from './admin-stock.generated';

const PAGE = 50;
const ITEM = 'item';
const LOOK_AGAIN_MS = 30_000;

const beginning = { show: 'low', q: '', sort: '', gender: 'all', reason: 'all' };
const genders = { all: null, men: 'MEN', women: 'WOMEN' } as const;
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

interface MissingProps {
  error: unknown;
  /** The rows of this or an earlier answer; undefined while there is none. */
  rows: readonly unknown[] | undefined;
  words: string;
}

/** What does not come, or is not there; null while it is neither. */
function Missing({ error, rows, words }: MissingProps) {
  const failed = error ? (serverWords(error) ?? texts.failed) : null;
  if (failed) return rows ? <StaleNote>{failed}</StaleNote> : <NoRows>{failed}</NoRows>;
  return rows?.length === 0 ? <NoRows>{words}</NoRows> : null;
}

function Levels({ list, ledgerOf, onChanged }: ListProps) {
  const { show, q, gender } = list.values;
  const sort = list.values.sort || (show === 'low' ? 'least' : 'sku');
  const { data, previousData, error, refetch } = useStockLevelsQuery({
    variables: {
      filter: {
        search: q || null,
        level: show === 'low' ? 'LOW' : 'ALL',
        gender: genders[gender as keyof typeof genders] ?? null,
      },
      sort: sorts[sort] ?? 'SKU',
      after: list.after,
    },
    fetchPolicy: 'cache-and-network',
    context: askedAnew,
  });
  useAdminEvents(() => void refetch());
  const found = (data ?? previousData)?.admin?.stock;

  return (
    <>
      <Filters>
        <ListSearch label="Find by name or SKU" value={q} onSearch={(words) => list.set({ q: words })} />
        <Select label="Cut for" value={gender} onChange={({ target }) => list.set({ gender: target.value })}>
          <option value="all">Everybody</option>
          <option value="men">Men</option>
          <option value="women">Women</option>
        </Select>
      </Filters>
      <Missing
        error={error}
        rows={found?.nodes}
        words={show === 'low' && !list.isNarrowed ? texts.nothingLow : texts.nothingFound}
      />
      {found && found.nodes.length > 0 && (
        <LevelTable
          levels={found.nodes}
          stale={!data}
          sort={sort}
          onSort={(by) => list.set({ sort: by })}
          ledgerOf={ledgerOf}
          onAdjusted={onChanged}
        />
      )}
      {found && (
        <Pager list={list} size={PAGE} shown={found.nodes.length} total={found.totalCount} pageInfo={found.pageInfo} />
      )}
    </>
  );
}

function Reservations({ list, ledgerOf }: ListProps) {
  const [now, setNow] = useState(() => Date.now());
  const { data, previousData, error, refetch } = useStockReservationsQuery({
    variables: { search: list.values.q || null, after: list.after },
    fetchPolicy: 'cache-and-network',
    context: askedAnew,
    pollInterval: LOOK_AGAIN_MS,
  });
  useAdminEvents(() => void refetch());
  useEffect(() => {
    const clock = setInterval(() => setNow(Date.now()), LOOK_AGAIN_MS);
    return () => clearInterval(clock);
  }, []);
  const found = (data ?? previousData)?.admin?.stockReservations;

  return (
    <>
      <Filters>
        <ListSearch
          label="Find by e-mail, name or SKU"
          value={list.values.q}
          onSearch={(words) => list.set({ q: words })}
        />
      </Filters>
      <Missing error={error} rows={found?.nodes} words={list.values.q ? texts.nothingFound : texts.nothingReserved} />
      {found && found.nodes.length > 0 && (
        <ReservationTable reservations={found.nodes} stale={!data} now={now} ledgerOf={ledgerOf} />
      )}
      {found && found.totalCount > 0 && (
        <Pager list={list} size={PAGE} shown={found.nodes.length} total={found.totalCount} pageInfo={found.pageInfo} />
      )}
    </>
  );
}

function Movements({ list, ledgerOf }: ListProps) {
  const { q, reason } = list.values;
  const { data, previousData, error, refetch } = useStockMovementsQuery({
    variables: { filter: { search: q || null, reasons: isReason(reason) ? [reason] : null }, after: list.after },
    fetchPolicy: 'cache-and-network',
    context: askedAnew,
  });
  useAdminEvents(() => void refetch());
  const found = (data ?? previousData)?.admin?.stockMovements;

  return (
    <>
      <Filters>
        <ListSearch label="Find by order, name or SKU" value={q} onSearch={(words) => list.set({ q: words })} />
        <Select label="Why" value={reason} onChange={({ target }) => list.set({ reason: target.value })}>
          <option value="all">Every reason</option>
          {Object.entries(reasons).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Filters>
      <Missing error={error} rows={found?.nodes} words={list.isNarrowed ? texts.nothingFound : texts.nothingMoved} />
      {found && found.nodes.length > 0 && <MovementTable movements={found.nodes} stale={!data} ledgerOf={ledgerOf} />}
      {found && (
        <Pager list={list} size={PAGE} shown={found.nodes.length} total={found.totalCount} pageInfo={found.pageInfo} />
      )}
    </>
  );
}

const lists = { low: Levels, all: Levels, reserved: Reservations, movements: Movements };

function labelled(label: string, number: number | undefined) {
  return number ? `${label} ${formatNumber(number)}` : label;
}

/** What lies where, what is nearly gone, what checkouts hold, and how it all came to that. */
export default function StockRoom() {
  const list = useListQuery(beginning);
  const { data, error, refetch } = useStockSummaryQuery({ fetchPolicy: 'cache-and-network', context: askedAnew });
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
        failed={error ? (serverWords(error) ?? texts.failed) : false}
        aside={
          <Link to="/admin/import" className="link">
            {texts.importLink}
          </Link>
        }
      >
        {summary && (
          <div className={styles.room}>
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
              <div className={styles.room}>
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
