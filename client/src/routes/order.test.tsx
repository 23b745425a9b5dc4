import { act, screen } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { session } from '~/session/storage';
import { renderShop, shopServer } from '~/test/shop';
import OrderRoute from './order';
import { AccountOrderDocument } from './order.generated';

const shop = shopServer();

beforeEach(() => act(() => session.signIn({ id: 'u1', name: 'Ada', email: 'ada@minimal.test', role: 'user' })));
afterEach(() => act(() => session.signOut()));

const open = () =>
  renderShop(
    <Routes>
      <Route path="/account/orders/:orderId" element={<OrderRoute />} />
    </Routes>,
    '/account/orders/o7',
  );

it('asks for the order that the address names, and says when the account has none of that kind', async () => {
  const asked = shop.answer(AccountOrderDocument, {
    shop: { __typename: 'Shop', timeZone: 'UTC' },
    viewer: { __typename: 'Viewer', id: 'u1', order: null },
  });

  open();

  expect(await screen.findByRole('heading', { level: 1, name: 'There is no such order' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Order History' })).toHaveAttribute('href', '/account?tab=orders');
  expect(asked).toEqual([{ id: 'o7' }]);
});

it('offers another try when the order could not be loaded', async () => {
  shop.fail(AccountOrderDocument, 'INTERNAL');
  const { user } = open();
  const retry = await screen.findByRole('button', { name: 'Try again' });
  shop.answer(AccountOrderDocument, {
    shop: { __typename: 'Shop', timeZone: 'UTC' },
    viewer: { __typename: 'Viewer', id: 'u1', order: null },
  });

  await user.click(retry);

  expect(await screen.findByRole('heading', { name: 'There is no such order' })).toBeVisible();
});
