import { News, useUnseen } from '~/features/admin/news';
import { OrderTable } from '~/features/admin/orders/order-table';
import { texts } from '~/features/admin/orders/texts';
import { TroubleTable } from '~/features/admin/orders/trouble-table';
import { Panel } from '~/features/admin/panel';
import { ShopDays } from '~/features/admin/shop-days';
import type { OrderFilter, OrderSort } from '~/graphql/schema.generated';
import { serverWords } from '~/graphql/settled';
import { parseDay } from '~/ui/day';
import { Field, Select } from '~/ui/field';
import { ListSearch } from '~/ui/list-search';
import { Pager } from '~/ui/pager';
import { Segments } from '~/ui/segments';
import { Filters } from '~/ui/table';
import { type ListQuery, useListQuery } from '~/ui/use-list-query';
import styles from './admin.module.css';
import { Reservations } from './admin-reservations';
import { useAdminOrdersQuery, useAdminTroublesQuery } from './admin-orders.generated';

const PAGE = 50;

const views = [
  { value: 'orders', label: 'Orders' },
  { value: 'troubles', label: 'Payments in trouble' },
  { value: 'reservations', label: 'Reserved' },
] as const;

const shown: readonly { value: string; label: string; filter: OrderFilter }[] = [
  { value: 'all', label: 'All orders', filter: {} },
  { value: 'to-send', label: 'To send', filter: { toShip: true } },
  { value: 'returns', label: 'With an open return', filter: { openReturns: true } },
  { value: 'partly', label: 'Partly sent', filter: { fulfilment: ['PARTLY_SHIPPED'] } },
  { value: 'shipped', label: 'On their way', filter: { fulfilment: ['SHIPPED'] } },
  { value: 'delivered', label: 'Delivered', filter: { fulfilment: ['DELIVERED'] } },
  { value: 'canceled', label: 'Canceled', filter: { fulfilment: ['CANCELED'] } },
];

const paid: readonly { value: string; label: string; filter: OrderFilter }[] = [
  { value: 'any', label: 'Any', filter: {} },
  { value: 'paid', label: 'Paid', filter: { paymentStatus: ['PAID'] } },
  { value: 'processing', label: 'Processing', filter: { paymentStatus: ['PROCESSING'] } },
  { value: 'failed', label: 'Failed', filter: { paymentStatus: ['FAILED'] } },
  { value: 'refunded', label: 'Refunded, all or part', filter: { paymentStatus: ['REFUNDED', 'PARTIALLY_REFUNDED'] } },
];

const sorts: Record<string, OrderSort> = {
  newest: 'NEWEST',
  oldest: 'OLDEST',
  highest: 'HIGHEST_TOTAL',
  lowest: 'LOWEST_TOTAL',
};

const beginning = { view: 'orders', q: '', show: 'all', payment: 'any', from: '', to: '', sort: 'newest', settled: '' };

type OrderList = ListQuery<typeof beginning>;

function filterOf({ q, show, payment, from, to }: typeof beginning): OrderFilter {
  return {
    search: q || null,
    ...shown.find(({ value }) => value === show)?.filter,
    ...paid.find(({ value }) => value === payment)?.filter,
    from: parseDay(from),
    to: parseDay(to),
  };
}

function OrderFilters({ list: { values, set } }: { list: OrderList }) {
  return (
    <Filters>
      <ListSearch label="Find by number, e-mail or name" value={values.q} onSearch={(q) => set({ q })} />
      <Select label="Show" value={values.show} onChange={({ target }) => set({ show: target.value })}>
        {shown.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <Select label="Payment" value={values.payment} onChange={({ target }) => set({ payment: target.value })}>
        {paid.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <Field label="From" type="date" value={values.from} onChange={({ target }) => set({ from: target.value })} />
      <Field label="To" type="date" value={values.to} onChange={({ target }) => set({ to: target.value })} />
    </Filters>
  );
}

function Orders({ list }: { list: OrderList }) {
  const { data, previousData, error, refetch } = useAdminOrdersQuery({
    variables: { filter: filterOf(list.values), sort: sorts[list.values.sort] ?? 'NEWEST', after: list.after },
    fetchPolicy: 'cache-and-network',
  });
  const [unseen, seen] = useUnseen('OrderPlaced');
  const { orders, timeZone } = (data ?? previousData)?.admin ?? {};

  function show() {
    seen();
    void refetch();
  }

  return (
    <Panel
      title="Orders"
      waiting="Fetching orders"
      failed={error ? (serverWords(error) ?? texts.ordersFailed) : false}
      aside={<Views list={list} />}
    >
      {orders && timeZone && (
        <div className={styles.screen}>
          <OrderFilters list={list} />
          <ShopDays timeZone={timeZone} />
          <News count={unseen} one="new order" many="new orders" onShow={show} />
          <OrderTable
            orders={orders.nodes}
            timeZone={timeZone}
            stale={!data}
            sort={list.values.sort}
            onSort={(sort) => list.set({ sort })}
          />
          <Pager
            list={list}
            size={PAGE}
            shown={orders.nodes.length}
            total={orders.totalCount}
            pageInfo={orders.pageInfo}
          />
        </div>
      )}
    </Panel>
  );
}

function Troubles({ list }: { list: OrderList }) {
  const openOnly = list.values.settled !== 'yes';
  const { data, previousData, error } = useAdminTroublesQuery({
    variables: { openOnly, after: list.after },
    fetchPolicy: 'cache-and-network',
  });
  const troubles = (data ?? previousData)?.admin?.paymentTroubles;
  return (
    <Panel
      title="Payments in trouble"
      waiting="Fetching payments"
      failed={error ? (serverWords(error) ?? texts.troublesFailed) : false}
      aside={<Views list={list} />}
    >
      {troubles && (
        <div className={styles.screen}>
          <Filters>
            <Select
              label="Show"
              value={list.values.settled}
              onChange={({ target }) => list.set({ settled: target.value })}
            >
              <option value="">Those that need somebody</option>
              <option value="yes">All there have been</option>
            </Select>
          </Filters>
          <TroubleTable troubles={troubles.nodes} stale={!data} />
          <Pager
            list={list}
            size={PAGE}
            shown={troubles.nodes.length}
            total={troubles.totalCount}
            pageInfo={troubles.pageInfo}
          />
        </div>
      )}
    </Panel>
  );
}

function Views({ list }: { list: OrderList }) {
  const chosen = views.find(({ value }) => value === list.values.view)?.value ?? 'orders';
  return (
    <Segments label="View" options={views} chosen={chosen} onChoose={(view) => list.set({ ...beginning, view })} />
  );
}

/** Every order, to find and to go to, the payments that went wrong, and the checkouts that are open. */
export default function OrdersRoom() {
  const list = useListQuery(beginning);
  if (list.values.view === 'reservations') return <Reservations list={list} aside={<Views list={list} />} />;
  return list.values.view === 'troubles' ? <Troubles list={list} /> : <Orders list={list} />;
}
