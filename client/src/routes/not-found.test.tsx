import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { CategoriesDocument } from '~/features/catalog/categories.generated';
import { jean, specified } from '~/features/catalog/fixtures';
import { renderShop, shopServer } from '~/test/shop';
import NotFoundRoute from './not-found';
import { MostWornDocument } from './most-worn.generated';

const shop = shopServer();

beforeEach(() => void shop.answer(CategoriesDocument, { categories: specified([['women', 'Hats']]) }));

const worn = () => {
  const product = jean();
  const colors = product.colors.map((color) => ({ __typename: 'Color', ...color }));
  return { products: { __typename: 'ProductConnection', nodes: [{ __typename: 'Product', ...product, colors }] } };
};

test('an address that leads nowhere says so and leads on: to the categories and to a few products', async () => {
  shop.answer(MostWornDocument, worn());

  renderShop(<NotFoundRoute />, '/nowhere');

  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Nothing hangs here');
  await screen.findByRole('link', { name: 'Women' });
  expect(screen.queryByRole('link', { name: 'Men' })).toBeNull();
  const links = ['Women', 'Sale'].map((name) => screen.getByRole('link', { name }).getAttribute('href'));
  expect(links).toEqual(['/category/women', '/category/sale']);
  const row = await screen.findByRole('list', { name: 'Most worn' });
  expect(within(row).getByRole('article', { name: 'Straight Jean' })).toBeInTheDocument();
});

test('its search leads to the results', async () => {
  shop.answer(MostWornDocument, worn());
  const { user } = renderShop(<NotFoundRoute />, '/nowhere');

  await user.type(screen.getByRole('searchbox'), ' linen sh{Enter}');

  expect(screen.getByTestId('address')).toHaveTextContent('/search?q=linen+sh');
});

test('without products it still leads on', async () => {
  shop.fail(MostWornDocument, 'INTERNAL');

  renderShop(<NotFoundRoute />, '/nowhere');

  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Most worn' })).toBeNull());
  expect(screen.getByRole('link', { name: 'Sale' })).toBeInTheDocument();
});
