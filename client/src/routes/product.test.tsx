import { screen } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import ProductRoute from './product';
import { MostWornDocument } from './most-worn.generated';
import { ProductDocument } from './product.generated';

const shop = shopServer();

beforeEach(() => {
  shop.answer(MostWornDocument, { products: { __typename: 'ProductConnection', nodes: [] } });
});

const limits = { __typename: 'ShopLimits', piecesPerVariant: 10 };

const page = () =>
  renderShop(
    <Routes>
      <Route path="/product/:productId" element={<ProductRoute />} />
    </Routes>,
    '/product/p9',
  );

// spec: screens.product.missing
test('a product that does not exist is said so, with a way on', async () => {
  const requests = shop.answer(ProductDocument, {
    product: null,
    shop: { __typename: 'Shop', returnDays: 30, limits, deliveryZones: [] },
  });

  page();

  expect(await screen.findByRole('heading', { name: 'Product Not Found' })).toBeInTheDocument();
  expect(screen.getByText('The product you are looking for does not exist.')).toBeInTheDocument();
  expect(requests).toEqual([{ id: 'p9' }]);
});

// spec: errors.product.fetch
test('a product that could not be fetched can be asked for again', async () => {
  shop.fail(ProductDocument, 'INTERNAL');
  const { user } = page();
  expect(await screen.findByRole('heading', { name: 'Failed to fetch product details' })).toBeInTheDocument();

  shop.answer(ProductDocument, {
    product: null,
    shop: { __typename: 'Shop', returnDays: 30, limits, deliveryZones: [] },
  });
  await user.click(screen.getByRole('button', { name: 'Try again' }));

  expect(await screen.findByRole('heading', { name: 'Product Not Found' })).toBeInTheDocument();
});
