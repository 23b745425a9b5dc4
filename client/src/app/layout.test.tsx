import { screen } from '@testing-library/react';
import { lazy } from 'react';
import { Route, Routes } from 'react-router';
import { expect, test } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { CartCountDocument } from '~/features/cart/cart-count.generated';
import { Layout } from './layout';

const shop = shopServer();
const OnItsWay = lazy(() => new Promise<never>(() => undefined));

test.each([
  ['/payment', 1],
  ['/checkout', 0],
])('while the code of %s is on its way, a checkout is said to be prepared %d times', (path, times) => {
  shop.answer(CartCountDocument, { viewer: null });
  renderShop(
    <Routes>
      <Route element={<Layout />}>
        <Route path="*" element={<OnItsWay />} />
      </Route>
    </Routes>,
    path,
  );

  expect(screen.queryAllByText('Preparing Secure Checkout')).toHaveLength(times);
});
