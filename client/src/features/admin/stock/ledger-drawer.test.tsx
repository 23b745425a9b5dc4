import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { LedgerDrawer } from './ledger-drawer';
import { texts } from './texts';
import { StockLedgerDocument } from './stock.generated';

const shop = shopServer();
const item = {
  __typename: 'StockItem',
  id: 'v1',
  productId: 'p1',
  name: 'Straight Jean',
  color: 'Indigo',
  hex: '#2e3f62',
  size: 'M',
  sku: 'SJ-IN-M',
  isRetired: false,
} as const;
const level = {
  __typename: 'StockLevel',
  id: 'v1',
  stock: 4,
  reserved: 0,
  onShelf: 4,
  isLow: false,
  item,
  image: null,
} as const;
const movement = (id: string, balance: number) => ({
  __typename: 'StockMovement',
  id,
  at: '2026-11-17T14:30:00Z',
  quantity: 1,
  balance,
  reason: 'COUNTED' as const,
  note: '',
  orderId: null,
  orderNumber: null,
  actor: null,
});

function answer(ids: readonly [string, number][], hasNextPage: boolean) {
  const pageInfo = { __typename: 'PageInfo', hasNextPage, endCursor: hasNextPage ? 'c1' : null };
  const nodes = ids.map(([id, balance]) => movement(id, balance));
  const stockMovements = { __typename: 'StockMovementConnection', totalCount: 2, nodes, pageInfo };
  shop.answer(StockLedgerDocument, { admin: { __typename: 'Admin', stockLevel: level, stockMovements } });
}

it('says why earlier movements did not come, keeps the others and asks again', async () => {
  answer([['m2', 4]], true);
  const { user } = renderShop(<LedgerDrawer id="v1" onClose={() => undefined} />);
  const earlier = await screen.findByRole('button', { name: texts.earlier, hidden: true });

  shop.fail(StockLedgerDocument, 'UNAVAILABLE');
  await user.click(earlier);

  expect(await screen.findByText('Refused.')).toBeInTheDocument();
  expect(screen.getAllByRole('row', { hidden: true })).toHaveLength(2);
  answer([['m1', 3]], false);
  await user.click(screen.getByRole('button', { name: texts.earlier, hidden: true }));
  expect(await screen.findByText('2026', { exact: false, selector: 'tr:nth-child(2) *' })).toBeInTheDocument();
  expect(screen.queryByText('Refused.')).toBeNull();
});
