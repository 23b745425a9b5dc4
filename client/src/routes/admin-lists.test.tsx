import type { DocumentNode } from 'graphql';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import DiscountCodesScreen from './admin-codes';
import AuditLogScreen from './admin-log';
import OrdersScreen from './admin-orders';
import ProductsTab from './admin-products';
import StockScreen from './admin-stock';
import { AdminOrdersDocument, AdminTroublesDocument } from './admin-orders.generated';
import { AdminLogChoicesDocument, AdminLogDocument } from './admin-log.generated';
import { AdminDiscountCodesDocument } from './admin-codes.generated';
import {
  StockDepartmentsDocument,
  StockLevelsDocument,
  StockMovementsDocument,
  StockSummaryDocument,
} from './admin-stock.generated';
import { AdminDepartmentsDocument, AdminProductsDocument } from './admin-products.generated';

const shop = shopServer();
const owner = {
  __typename: 'Viewer',
  id: 'u1',
  email: 'owner@minimal.test',
  role: 'ADMIN',
  isPrimaryAdmin: true,
  secondFactorMissing: false,
} as const;
const pageInfo = { __typename: 'PageInfo', hasNextPage: false, endCursor: null } as const;
const rows = { totalCount: 0, pageInfo, nodes: [] } as const;
const stockSummary = { __typename: 'StockSummary', threshold: 3, low: 0, soldOut: 0, reserved: 0 } as const;

const department = (key: string, name: string) => ({ __typename: 'EditableDepartment', key, name }) as const;
const departments = [department('men', 'Men'), department('kids', 'Kids')];

beforeEach(() => {
  shop.answer(AdminDepartmentsDocument, { admin: { __typename: 'Admin', departments } });
  shop.answer(StockDepartmentsDocument, { admin: { __typename: 'Admin', departments } });
});

interface List {
  element: ReactNode;
  at: string;
  document: DocumentNode;
  answer: () => unknown;
  /** The filter that is changed, and to what. */
  filter: string;
  value: string;
}

const lists: List[] = [
  {
    element: <ProductsTab viewer={owner} />,
    at: '/admin',
    document: AdminProductsDocument,
    answer: () => shop.answer(AdminProductsDocument, { admin: { products: rows } }),
    filter: 'Show',
    value: 'retired',
  },
  {
    element: <OrdersScreen />,
    at: '/admin/orders',
    document: AdminOrdersDocument,
    answer: () => shop.answer(AdminOrdersDocument, { admin: { orders: rows } }),
    filter: 'Show',
    value: 'to-send',
  },
  {
    element: <OrdersScreen />,
    at: '/admin/orders?view=troubles',
    document: AdminTroublesDocument,
    answer: () => shop.answer(AdminTroublesDocument, { admin: { paymentTroubles: rows } }),
    filter: 'Show',
    value: 'yes',
  },
  {
    element: <DiscountCodesScreen />,
    at: '/admin/codes',
    document: AdminDiscountCodesDocument,
    answer: () => shop.answer(AdminDiscountCodesDocument, { admin: { discountCodes: rows } }),
    filter: 'State',
    value: 'ended',
  },
  {
    element: <StockScreen />,
    at: '/admin/stock?show=all',
    document: StockLevelsDocument,
    answer: () => shop.answer(StockLevelsDocument, { admin: { stock: rows } }),
    filter: 'Cut for',
    value: 'men',
  },
  {
    element: <StockScreen />,
    at: '/admin/stock?show=movements',
    document: StockMovementsDocument,
    answer: () => shop.answer(StockMovementsDocument, { admin: { stockMovements: rows } }),
    filter: 'Why',
    value: 'COUNTED',
  },
];

describe.each(lists)('the list at $at, filtered by $filter', ({ element, at, document, answer, filter, value }) => {
  const change = async (to: string) =>
    fireEvent.change(await screen.findByLabelText(filter), { target: { value: to } });

  it('says that its rows are from before when another filter fails', async () => {
    shop.answer(StockSummaryDocument, { admin: { __typename: 'Admin', stockSummary } });
    answer();
    renderShop(element, at);
    await screen.findByLabelText(filter);
    await waitFor(() => expect(globalThis.document.querySelector('[aria-busy]')).toBeNull());

    shop.fail(document, 'UNAVAILABLE');
    await change(value);

    expect(await screen.findByRole('alert')).toHaveTextContent('Refused. What is shown below was fetched before.');
    const before = (screen.getByLabelText(filter) as HTMLSelectElement).options[0]?.value ?? '';
    answer();
    await change(before);
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  it('is fetched again by a press, and keeps the focus', async () => {
    shop.answer(StockSummaryDocument, { admin: { __typename: 'Admin', stockSummary } });
    shop.fail(document, 'UNAVAILABLE');
    const { user } = renderShop(element, at);
    const retry = await screen.findByRole('button', { name: 'Try again' });

    answer();
    await user.click(retry);

    expect(await screen.findByLabelText(filter)).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(globalThis.document.body).not.toHaveFocus();
  });
});

describe('days and times', () => {
  const timeZone = 'Pacific/Kiritimati';
  const at = '2026-11-20T15:30:00Z';

  it('of orders are those of the shop, and the list says whose they are', async () => {
    const order = {
      __typename: 'AdminOrder',
      id: 'o1',
      number: 'M-10001',
      createdAt: at,
      email: 'ada@minimal.test',
      shippingAddress: { __typename: 'OrderAddress', name: 'Ada Lovelace', state: '', country: 'Sweden' },
      paymentStatus: 'PAID',
      fulfilment: 'UNFULFILLED',
      pieceCount: 1,
      totalAmount: '89.00',
      refundedAmount: '0.00',
    } as const;
    const orders = { ...rows, totalCount: 1, nodes: [order] };
    const requests = shop.answer(AdminOrdersDocument, { admin: { __typename: 'Admin', orders } });

    renderShop(<OrdersScreen />, '/admin/orders?from=2026-11-21&to=2026-11-21', timeZone);

    expect(await screen.findByText('Days and times in Pacific/Kiritimati')).toBeVisible();
    expect(screen.getByText(/Nov 21, 2026, 5:30\sAM/)).toBeVisible();
    expect(requests[0]?.filter).toMatchObject({ from: '2026-11-21', to: '2026-11-21' });
  });

  it('of the audit log are too', async () => {
    const entry = {
      __typename: 'AuditEntry',
      id: 'e1',
      at,
      actor: 'ada@minimal.test',
      actorId: null,
      action: 'retired',
      kind: 'sample',
      subjectId: 's1',
      subject: 'Oxford Shirt',
      changes: [],
    };
    const auditLog = { ...rows, totalCount: 1, nodes: [entry] };
    const auditChoices = { __typename: 'AuditChoices', actors: [], actions: [], kinds: [] };
    shop.answer(AdminLogChoicesDocument, { admin: { __typename: 'Admin', auditChoices } });
    const requests = shop.answer(AdminLogDocument, { admin: { __typename: 'Admin', auditLog } });

    renderShop(<AuditLogScreen />, '/admin/log?from=2026-11-21', timeZone);

    expect(await screen.findByText('Days and times in Pacific/Kiritimati')).toBeVisible();
    expect(screen.getByText(/Nov 21, 2026, 5:30\sAM/)).toBeVisible();
    expect(requests[0]?.filter).toMatchObject({ from: '2026-11-21', to: null });
  });
});

it('filters products and stock by the departments that the owner has made', async () => {
  const products = shop.answer(AdminProductsDocument, { admin: { __typename: 'Admin', products: rows } });
  shop.answer(StockSummaryDocument, { admin: { __typename: 'Admin', stockSummary } });
  const stock = shop.answer(StockLevelsDocument, { admin: { __typename: 'Admin', stock: rows } });
  renderShop(<ProductsTab viewer={owner} />, '/admin?tab=products');
  renderShop(<StockScreen />, '/admin/stock?show=all');

  fireEvent.click(await screen.findByRole('radio', { name: 'Kids' }));
  await screen.findByRole('option', { name: 'Kids' });
  fireEvent.change(screen.getByLabelText('Cut for'), { target: { value: 'kids' } });

  await waitFor(() => expect(products.at(-1)).toMatchObject({ filter: { department: 'kids' } }));
  await waitFor(() => expect(stock.at(-1)).toMatchObject({ filter: { department: 'kids' } }));
  expect(screen.getAllByRole('radio').map(({ parentElement }) => parentElement?.textContent)).toEqual([
    'All',
    'Men',
    'Kids',
    'Sale',
  ]);
});

it('shows the filter of products with all departments at once, and without them when they cannot be read', async () => {
  shop.answer(AdminProductsDocument, { admin: { __typename: 'Admin', products: rows } });
  const { unmount } = renderShop(<ProductsTab viewer={owner} />, '/admin?tab=products');

  expect((await screen.findAllByRole('radio'))[1]).toHaveAccessibleName('Men');

  unmount();
  shop.fail(AdminDepartmentsDocument, 'UNAVAILABLE');
  renderShop(<ProductsTab viewer={owner} />, '/admin?tab=products');

  expect((await screen.findAllByRole('radio'))[1]).toHaveAccessibleName('Sale');
});

it('says why there is no discount code to see', async () => {
  shop.fail(AdminDiscountCodesDocument, 'UNAVAILABLE');

  renderShop(<DiscountCodesScreen />, '/admin/codes');

  expect(await screen.findByText('Refused.')).toBeVisible();
});
