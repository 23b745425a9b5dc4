import { waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import type { PageDraftFragment } from '~/features/admin/content/content.generated';
import { ScheduleDialog, VersionsDialog } from '~/features/admin/content/dialogs';
import { PageBar } from '~/features/admin/content/page-bar';
import { PageState } from '~/features/admin/content/page-state';
import { PageTable } from '~/features/admin/content/page-table';
import type { PageForm } from '~/features/admin/content/use-page-draft';
import type { PageMutations } from '~/features/admin/content/use-page-mutations';
import { JobTable } from '~/features/admin/jobs/job-table';
import { LogTable } from '~/features/admin/log/log-table';
import { ConditionTable } from '~/features/admin/operations/condition-table';
import { FailureTable } from '~/features/admin/operations/failure-table';
import { ProcessTable } from '~/features/admin/operations/process-table';
import type { OperationsStateFragment } from '~/features/admin/operations/operations.generated';
import { order as anOrder, shipment } from '~/features/admin/orders/fixtures';
import { Notes } from '~/features/admin/orders/notes';
import type { AdminOrderDetailFragment } from '~/features/admin/orders/order.generated';
import { OrderFacts } from '~/features/admin/orders/order-facts';
import { OrderHead } from '~/features/admin/orders/order-head';
import { OrderStory } from '~/features/admin/orders/order-story';
import { OrderTable } from '~/features/admin/orders/order-table';
import { ParcelList } from '~/features/admin/orders/parcel-list';
import { PaymentIssueTable } from '~/features/admin/orders/payment-issue-table';
import { RefundList } from '~/features/admin/orders/refund-list';
import { ReservationTable } from '~/features/admin/orders/reservation-table';
import { ReturnPanel } from '~/features/admin/orders/return-panel';
import type { CustomerFactsFragment, CustomerSessionsFragment } from '~/features/admin/people/customer.generated';
import { CustomerFacts } from '~/features/admin/people/customer-facts';
import { CustomerOrders } from '~/features/admin/people/customer-orders';
import { CustomerSessions } from '~/features/admin/people/customer-sessions';
import { CodeForm } from '~/features/admin/pricing/code-form';
import { CodeTable } from '~/features/admin/pricing/code-table';
import type { DiscountCodeRowFragment } from '~/features/admin/pricing/pricing.generated';
import { BulkPreviewTable } from '~/features/admin/products/bulk-preview';
import { ProductAside } from '~/features/admin/products/product-aside';
import type { EditableProductFragment } from '~/features/admin/products/product-form.generated';
import { ImportTable } from '~/features/admin/stock/import-table';
import { MovementTable } from '~/features/admin/stock/movement-table';
import { ReservationTable as StockReservationTable } from '~/features/admin/stock/reservation-table';
import { MissingNote } from '~/features/analytics/missing-note';
import { MissingFactsDocument } from '~/features/analytics/missing.generated';
import { renderShop, shopServer } from '~/test/shop';
import { browserTimeZone } from '~/ui/format';
import OperationsScreen from './admin-operations';
import { AdminOperationsDocument } from './admin-operations.generated';

const shop = shopServer();
/** In the shop, in New York, it is the evening of the 19th; in Auckland, where the browser is, the afternoon of the 20th. */
const at = '2026-11-20T03:30:07Z';
const noop = () => undefined;

const process = { id: 'p', role: 'web', version: '1', host: 'h', pid: 1, isLeader: false } as const;
const failure = { id: 'f', kind: 'mail', reference: 'M-1', attempts: 1, error: 'Refused', failedAt: at };
const state: OperationsStateFragment = {
  at,
  reportsLagSeconds: 0,
  backups: {
    missingSince: at,
    wholeAt: at,
    verifiedAt: at,
    restorableFrom: at,
    restorableUntil: at,
    problem: null,
  },
  processes: [{ ...process, startedAt: at, seenAt: at, isAlive: true, indexAgeSeconds: 0, replica: null }],
  queues: [],
  failures: [failure],
};
const returned: AdminOrderDetailFragment['returns'][number] = {
  id: 'r1',
  status: 'REFUNDED',
  reason: '',
  answer: '',
  labelUrl: null,
  createdAt: at,
  pieces: [],
};
const order: AdminOrderDetailFragment = {
  ...anOrder,
  createdAt: at,
  shipments: [{ ...shipment, shippedAt: at }],
  returns: [returned],
  refunds: [
    {
      id: 'f1',
      amount: '1.00',
      shipping: '0.00',
      reason: '',
      status: 'SUCCEEDED',
      askedBy: '',
      createdAt: at,
      needsCare: false,
      pieces: [],
    },
  ],
  disputes: [
    {
      id: 'd1',
      amount: '1.00',
      reason: 'general',
      status: 'needs_response',
      isOpen: true,
      blocksRefunds: false,
      answerBy: at,
      createdAt: at,
    },
  ],
  notes: [{ id: 'n1', author: 'ada@minimal.test', text: 'Call first.', createdAt: at }],
};
const code: DiscountCodeRowFragment = {
  id: 'c1',
  code: 'AUTUMN',
  action: { __typename: 'PercentOff', percent: 10 },
  conditions: [],
  startsAt: at,
  endsAt: at,
  maxUses: null,
  maxUsesPerCustomer: null,
  isActive: true,
  state: 'RUNNING',
  uses: 0,
  held: 0,
  discounts: '0.00',
  sales: '0.00',
};
const product = {
  id: 'p1',
  name: 'Oxford Shirt',
  isRetired: false,
  sold: 0,
  revenue: '0.00',
  reserved: 1,
  reservedSince: at,
  changedAt: at,
  changedBy: '',
} as EditableProductFragment;
const discounted = {
  price: '50.00',
  discountedPrice: '40.00',
  discountStartsAt: at,
  discountEndsAt: at,
  isRetired: false,
  stock: 4,
};
const page = {
  id: 'p1',
  key: 'about',
  path: '/about',
  title: 'About us',
  version: 1,
  isPublished: true,
  hasChanges: true,
  publishAt: at,
  publishedAt: at,
  updatedBy: 'ada@minimal.test',
  updatedAt: at,
  versions: [{ number: 1, title: 'About us', publishedBy: 'ada@minimal.test', publishedAt: at }],
} as unknown as PageDraftFragment;
const item = {
  id: 'v1',
  productId: 'p1',
  name: 'Shirt',
  color: 'Blue',
  hex: '#00f',
  size: 'M',
  sku: 'S',
  isRetired: false,
} as const;
const customer: CustomerFactsFragment & CustomerSessionsFragment = {
  id: 'u1',
  name: 'Ada',
  email: 'ada@minimal.test',
  role: 'USER',
  isPrimaryAdmin: false,
  emailVerified: true,
  adminRequest: false,
  orderCount: 0,
  createdAt: at,
  spent: '0.00',
  hasSecondFactor: false,
  sessions: [{ id: 's1', userAgent: '', isCurrent: false, createdAt: at, lastSeenAt: at }],
};
const viewer = {
  __typename: 'Viewer',
  id: 'u1',
  email: 'owner@minimal.test',
  role: 'ADMIN',
  isPrimaryAdmin: true,
  secondFactorMissing: false,
} as const;
const controls = { allowed: true, noteId: 'note' };

/** Everything of the back office that shows a day or a time, by its file. */
const parts: Record<string, () => ReactNode> = {
  'features/admin/content/dialogs.tsx': () => (
    <>
      <VersionsDialog page={page} working={false} onRevert={noop} onClose={noop} />
      <ScheduleDialog
        publishAt={at}
        working={false}
        refusal={undefined}
        onSchedule={noop}
        onCancelTime={noop}
        onClose={noop}
      />
    </>
  ),
  'features/admin/content/page-bar.tsx': () => (
    <PageBar
      form={{ page, changes: [] as string[] } as PageForm}
      mutations={{ isSending: false } as PageMutations}
      broken={0}
      onGone={noop}
    />
  ),
  'features/admin/content/page-state.tsx': () => <PageState page={page} />,
  'features/admin/content/page-table.tsx': () => <PageTable pages={[page]} stale={false} empty="" />,
  'features/admin/jobs/job-table.tsx': () => (
    <JobTable jobs={[{ ...failure, createdAt: at }]} stale={false} {...controls} onDecided={noop} />
  ),
  'features/admin/log/log-table.tsx': () => (
    <LogTable
      entries={[
        {
          id: 'e',
          at,
          actor: 'ada',
          actorId: null,
          action: 'retired',
          kind: 'x',
          subjectId: '',
          subject: '',
          changes: [],
        },
      ]}
      stale={false}
      empty=""
    />
  ),
  'features/admin/operations/condition-table.tsx': () => <ConditionTable state={state} />,
  'features/admin/operations/failure-table.tsx': () => <FailureTable failures={state.failures} />,
  'features/admin/operations/process-table.tsx': () => <ProcessTable processes={state.processes} at={at} />,
  'features/admin/orders/notes.tsx': () => <Notes order={order} />,
  'features/admin/orders/order-facts.tsx': () => <OrderFacts order={order} />,
  'features/admin/orders/order-head.tsx': () => <OrderHead order={order} carriers={[]} />,
  'features/admin/orders/order-story.tsx': () => <OrderStory events={[{ at, kind: 'PLACED', amount: null }]} />,
  'features/admin/orders/order-table.tsx': () => <OrderTable orders={[order]} stale={false} sort="" onSort={noop} />,
  'features/admin/orders/parcel-list.tsx': () => <ParcelList order={order} carriers={[]} />,
  'features/admin/orders/payment-issue-table.tsx': () => (
    <PaymentIssueTable
      issues={[
        {
          id: 'i1',
          kind: 'DISPUTED',
          at,
          amount: '1.00',
          email: '',
          orderId: null,
          orderNumber: null,
          status: 'won',
          reason: 'general',
          paymentIntentId: '',
          orderVersion: '',
        },
      ]}
      stale={false}
    />
  ),
  'features/admin/orders/refund-list.tsx': () => <RefundList order={order} />,
  'features/admin/orders/reservation-table.tsx': () => (
    <ReservationTable
      reservations={[
        {
          id: 'r',
          buyerId: null,
          name: '',
          email: 'a',
          total: '1.00',
          hasPaymentForm: true,
          since: at,
          until: at,
          lines: [],
        },
      ]}
      stale={false}
    />
  ),
  'features/admin/orders/return-panel.tsx': () => <ReturnPanel order={order} returned={returned} />,
  'features/admin/people/customer-facts.tsx': () => (
    <CustomerFacts customer={customer} isSelf {...controls} onDeleted={noop} />
  ),
  'features/admin/people/customer-orders.tsx': () => <CustomerOrders orders={[order]} />,
  'features/admin/people/customer-sessions.tsx': () => <CustomerSessions customer={customer} {...controls} />,
  'features/admin/pricing/code-form.tsx': () => <CodeForm code={code} onSaved={noop} onCancel={noop} />,
  'features/admin/pricing/code-table.tsx': () => (
    <CodeTable codes={[code]} stale={false} empty="" onEdit={noop} onEnd={noop} />
  ),
  'features/admin/products/bulk-preview.tsx': () => (
    <BulkPreviewTable
      kind="discount"
      preview={{
        token: '',
        changing: 1,
        unchanged: 0,
        refused: 0,
        rows: [
          { productId: 'p1', name: 'Shirt', problem: null, raisesPrice: false, before: discounted, after: discounted },
        ],
      }}
    />
  ),
  'features/admin/products/product-aside.tsx': () => (
    <ProductAside product={product} {...controls} onChanged={noop}>
      {null}
    </ProductAside>
  ),
  'features/admin/stock/import-table.tsx': () => (
    <ImportTable
      imports={[
        {
          id: 'i1',
          fileName: 'products.csv',
          createdAt: at,
          actor: 'ada',
          state: 'DONE',
          rows: 1,
          problemCount: 0,
          finishedAt: at,
          summary: null,
        },
      ]}
      stale={false}
    />
  ),
  'features/admin/stock/movement-table.tsx': () => (
    <MovementTable
      movements={[
        {
          id: 'm',
          at,
          quantity: 1,
          balance: 1,
          reason: 'COUNTED',
          note: '',
          orderId: null,
          orderNumber: null,
          actor: null,
        },
      ]}
    />
  ),
  'features/admin/stock/reservation-table.tsx': () => (
    <StockReservationTable
      reservations={[{ id: 'r', quantity: 1, email: '', since: at, until: at, isPaid: true, item }]}
      stale={false}
      empty=""
      now={Date.parse(at)}
      ledgerOf={(id) => id}
    />
  ),
  'features/analytics/missing-note.tsx': () => {
    const freshness = { __typename: 'DataFreshness', until: at, lagSeconds: 60 };
    const analytics = { __typename: 'Analytics', missing: null, freshness };
    shop.answer(MissingFactsDocument, { admin: { __typename: 'Admin', analytics } });
    return <MissingNote />;
  },
  'routes/admin-operations.tsx': () => {
    shop.answer(AdminOperationsDocument, {
      admin: {
        __typename: 'Admin',
        operations: { __typename: 'Operations', ...state, processes: [], failures: [], backups: null },
      },
    });
    return <OperationsScreen viewer={viewer} />;
  },
};

/** All that one reads on the page, fields included. */
function readable() {
  const fields = [...document.querySelectorAll('input')].map(({ value }) => value);
  return [document.body.textContent, ...fields].join('\n');
}

it.each(Object.entries(parts))("%s says days and times by the shop's clock", async (_, part) => {
  expect(browserTimeZone()).toBe('Pacific/Auckland');

  renderShop(part(), '/', 'America/New_York');

  await waitFor(() => expect(readable()).toMatch(/Nov|2026-11/));
  expect(readable()).toMatch(/Nov(ember)? 19, 2026|2026-11-19T22:30/);
  expect(readable()).not.toMatch(/Nov(ember)? 20|2026-11-20/);
});

it('the table above has every part that shows a day or a time', () => {
  const sources = import.meta.glob<string>(
    ['../features/admin/**/*.tsx', '../features/analytics/*.tsx', './admin*.tsx', '!../**/*.test.tsx'],
    { query: '?raw', import: 'default', eager: true },
  );
  const shows = Object.entries(sources)
    .filter(([, source]) => /<Moment |format\w+In\(timeZone|datetime-local/.test(source))
    .map(([file]) => file.replace('../', '').replace('./', 'routes/'));

  // Of the fields for a discount of many products, none shows a stored moment.
  expect(shows.filter((file) => !(file in parts))).toEqual(['features/admin/products/bulk-fields.tsx']);
});
