import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { jean, specified } from '~/features/catalog/fixtures';
import { renderShop, shopServer } from '~/test/shop';
import HomeRoute from './home';
import { ShelfDocument } from './shelf.generated';
import { HomeDocument } from './home.generated';

const shop = shopServer();

const some = <Node = never,>(nodes: Node[] = []) => ({ __typename: 'ProductConnection', nodes });
const home = {
  menJeans: some(),
  menShirts: some(),
  womenJeans: some(),
  womenShirts: some(),
  womenTrousers: some(),
  categories: [],
} as const;
const product = jean({ name: 'Straight Jean' });
const shelf = {
  products: some([
    {
      __typename: 'Product',
      ...product,
      colors: product.colors.map((color) => ({ __typename: 'Color', ...color })),
    },
  ]),
} as const;

test('says once that the shop cannot be asked, where the pictures would be, and asks for all of it again', async () => {
  for (const document of [HomeDocument, ShelfDocument]) shop.fail(document, 'INTERNAL');
  const { user } = renderShop(<HomeRoute />);
  const hero = screen.getByRole('region', { name: 'Collections' });

  expect(await within(hero).findByRole('heading', { name: 'Error retrieving products' })).toBeInTheDocument();
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  expect(screen.queryByRole('region', { name: 'New in' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Explore Collection' })).toBeInTheDocument();

  shop.answer(HomeDocument, home);
  shop.answer(ShelfDocument, shelf);
  await user.click(screen.getByRole('button', { name: 'Try again' }));

  for (const name of ['New in', 'Sale & Clearance']) {
    const row = await screen.findByRole('region', { name });
    expect(await within(row).findByRole('article', { name: 'Straight Jean' })).toBeInTheDocument();
  }
  expect(screen.queryByRole('alert')).toBeNull();
});

test('says in the first shelf that could not be had what became of both', async () => {
  shop.answer(HomeDocument, home);
  shop.fail(ShelfDocument, 'INTERNAL');

  renderShop(<HomeRoute />);

  const row = await screen.findByRole('region', { name: 'New in' });
  expect(await within(row).findByRole('alert')).toHaveTextContent('Error retrieving products');
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  expect(screen.queryByRole('region', { name: 'Sale & Clearance' })).toBeNull();
});

test('lists the kinds that the owner has made, with the picture of a category where no piece stands for it', async () => {
  const image = { __typename: 'Image', id: 'i1', alt: 'Women, Hats', avif: '/i1.avif 96w', fallback: '/i1.webp' };
  const categories = specified([
    ['men', 'Shirts'],
    ['women', 'Hats'],
    ['women', 'Shirts'],
  ]).map((category) => ({ ...category, image: category.name === 'Hats' ? image : null }));
  shop.answer(HomeDocument, { ...home, categories });
  shop.answer(ShelfDocument, shelf);

  const { container } = renderShop(<HomeRoute />);

  const kinds = await screen.findByRole('region', { name: 'Kinds' });
  const names = within(kinds)
    .getAllByRole('heading')
    .map(({ textContent }) => textContent);
  expect(names).toEqual(['Shirts', 'Hats']);
  expect(
    within(kinds)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual(['/category/men/shirts', '/category/women/shirts', '/category/women/hats']);
  expect(container.querySelector('section[aria-label="Kinds"] img')).toHaveAttribute('src', '/i1.webp');
});
