import { ListPanel } from '~/features/admin/list';
import { News, useUnseen } from '~/features/admin/news';
import { OrderTable } from '~/features/admin/orders/order-table';
import { texts } from '~/features/admin/orders/texts';
import { PaymentIssueTable } from '~/features/admin/orders/payment-issue-table';
import { ShopDays } from '~/features/admin/shop-days';
import type { OrderFilter, OrderSort } from '~/graphql/schema.generated';
import { listPage } from '~/graphql/list-page';
import { parseDay } from '~/ui/day';
import { FilterBar, type FilterField } from '~/ui/filter-bar';
import { Segments } from '~/ui/segments';
import { type ListQuery, useListQuery } from '~/ui/use-list-query';
import { Reservations } from './admin-reservations';
import { useAdminOrdersQuery, useAdminTroublesQuery } from './admin-orders.generated';

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

const fields: readonly FilterField<typeof beginning>[] = [
  { name: 'q', kind: 'search', label: 'Find by number, e-mail or name' },
  { name: 'show', kind: 'choice', label: 'Show', options: shown },
  { name: 'payment', kind: 'choice', label: 'Payment', options: paid },
  { name: 'from', kind: 'day', label: 'From' },
  { name: 'to', kind: 'day', label: 'To' },
];

const paymentIssueFields: readonly FilterField<typeof beginning>[] = [
  {
    name: 'settled',
    kind: 'choice',
    label: 'Show',
    options: [
      { value: '', label: 'Those that need somebody' },
      { value: 'yes', label: 'All there have been' },
    ],
  },
];

function Orders({ list }: { list: OrderList }) {
  const result = useAdminOrdersQuery({
    variables: { filter: filterOf(list.values), sort: sorts[list.values.sort] ?? 'NEWEST', after: list.after },
    fetchPolicy: 'cache-and-network',
  });
  const [unseen, seen] = useUnseen('OrderPlaced');
  const page = listPage(result, ({ admin }) => admin?.orders);

  function show() {
    seen();
    void result.refetch();
  }

  return (
    <ListPanel
      title="Orders"
      waiting="Fetching orders"
      failed={texts.ordersFailed}
      aside={<Views list={list} />}
      list={list}
      page={page}
      above={
        <>
          <FilterBar list={list} fields={fields} />
          <ShopDays />
          <News count={unseen} one="new order" many="new orders" onShow={show} />
        </>
      }
    >
      {(orders, stale) => (
        <OrderTable orders={orders} stale={stale} sort={list.values.sort} onSort={(sort) => list.set({ sort })} />
      )}
    </ListPanel>
  );
}

function PaymentIssues({ list }: { list: OrderList }) {
  const result = useAdminTroublesQuery({
    variables: { openOnly: list.values.settled !== 'yes', after: list.after },
    fetchPolicy: 'cache-and-network',
  });
  return (
    <ListPanel
      title="Payments in trouble"
      waiting="Fetching payments"
      failed={texts.troublesFailed}
      aside={<Views list={list} />}
      list={list}
      page={listPage(result, ({ admin }) => admin?.paymentTroubles)}
      above={<FilterBar list={list} fields={paymentIssueFields} />}
    >
      {(issues, stale) => <PaymentIssueTable issues={issues} stale={stale} />}
    </ListPanel>
  );
}

function Views({ list }: { list: OrderList }) {
  const chosen = views.find(({ value }) => value === list.values.view)?.value ?? 'orders';
  return (
    <Segments label="View" options={views} chosen={chosen} onChoose={(view) => list.set({ ...beginning, view })} />
  );
}

/** Every order, to find and to go to, the payments that went wrong, and the checkouts that are open. */
export default function OrdersScreen() {
  const list = useListQuery(beginning);
  if (list.values.view === 'reservations') return <Reservations list={list} aside={<Views list={list} />} />;
  return list.values.view === 'troubles' ? <PaymentIssues list={list} /> : <Orders list={list} />;
}
