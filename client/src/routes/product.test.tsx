import { act, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import ProductRoute from './product';
import { MostWornDocument } from './most-worn.generated';
import { GoesWithDocument } from '~/features/catalog/goes-with.generated';
import { session } from '~/session/storage';
import { toastQueue } from '~/ui/toast';
import { visitListener } from '~/test/visit';
import { ProductDocument } from './product.generated';

const shop = shopServer();
const visitEvents = visitListener();

beforeEach(() => {
  shop.answer(MostWornDocument, { products: { __typename: 'ProductConnection', nodes: [] } });
});

const limits = { __typename: 'ShopLimits', piecesPerVariant: 10 };

const page = (at: Parameters<typeof renderShop>[1] = '/product/p9') =>
  renderShop(
    <Routes>
      <Route path="/product/:productId" element={<ProductRoute />} />
    </Routes>,
    at,
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

const color = (id: string, name: string) =>
  ({ __typename: 'Color', id, name, hex: '#000000', family: 'BLUE', images: [] }) as const;
const variant = (id: string, size: 'S' | 'M', colorId: string) =>
  ({ __typename: 'Variant', id, sku: id, size, stock: 9, color: { __typename: 'Color', id: colorId } }) as const;

test('what was added at a sign-in on the way is chosen here, and said once', async () => {
  session.signIn({ id: 'u1', name: 'Ada', email: 'ada@minimal.test', role: 'user' });
  shop.answer(GoesWithDocument, { product: { __typename: 'Product', id: 'p9', related: [] } });
  shop.answer(ProductDocument, {
    product: {
      __typename: 'Product',
      id: 'p9',
      name: 'Straight Jean',
      title: 'Straight Jean',
      subtitle: 'Rigid denim',
      price: '96.00',
      discountedPrice: null,
      discountPercentage: null,
      chargedPrice: '96.00',
      stock: 36,
      createdAt: '2026-01-01T00:00:00Z',
      colors: [color('c1', 'Indigo'), color('c2', 'Black')],
      sizes: ['S', 'M'],
      variants: [
        variant('v1', 'S', 'c1'),
        variant('v2', 'M', 'c1'),
        variant('v3', 'S', 'c2'),
        variant('v4', 'M', 'c2'),
      ],
      measurements: [],
      description: 'Washed once.',
      category: {
        __typename: 'Category',
        id: 'men_jeans',
        name: 'Jeans',
        path: '/category/men/jeans',
        department: { __typename: 'Department', name: 'Men', path: '/category/men' },
        key: 'jeans',
        kind: { __typename: 'Kind', key: 'jeans' },
      },
      details: [],
    },
    shop: { __typename: 'Shop', returnDays: 30, limits, deliveryZones: [] },
  });

  page({ pathname: '/product/p9', state: { added: { variantId: 'v4', quantity: 2 } } });

  expect(await screen.findByText(/^Added to your cart: 2 x Straight Jean, Black, M\./)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'View cart' })).toHaveAttribute('href', '/cart');
  expect(toastQueue.first()?.text).toBe('Added to your cart: 2 x Straight Jean, Black, M');
  toastQueue.clear();
  expect(toastQueue.first()).toBeUndefined();
  expect(screen.getByRole('radio', { name: 'Black' })).toBeChecked();
  expect(screen.getByRole('radio', { name: /^M/ })).toBeChecked();
  expect(screen.getByRole('group', { name: 'Quantity' })).toHaveTextContent('2');
  await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/product/p9?color=Black&size=M'));
  expect(screen.getByTestId('address')).toHaveAttribute('data-state', 'null');
  await visitEvents();
  act(() => session.signOut());
});
