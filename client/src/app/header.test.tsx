import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { Header } from './header';
import { CategoriesDocument } from '~/features/catalog/categories.generated';
import { specified } from '~/features/catalog/fixtures';
import { SearchDocument } from '~/features/catalog/search.generated';

const shop = shopServer();

const oxford = {
  __typename: 'Product',
  id: 'p1',
  name: 'Oxford Shirt',
  title: 'Oxford Shirt',
  category: { __typename: 'Category', id: 'men_shirts', name: 'Shirts', department: { name: 'Men' } },
  chargedPrice: '89.00',
  colors: [],
} as const;

const products = { __typename: 'ProductConnection', totalCount: 17, nodes: [oxford] } as const;

const searchAnswer = (over = {}) => ({
  search: { __typename: 'SearchResult', corrected: null, suggestions: ['oxford shirt'], products, ...over },
});

async function openSearch() {
  const view = renderShop(
    <>
      <Header />
      <p>elsewhere</p>
    </>,
  );
  await view.user.click(screen.getAllByRole('button', { name: 'Search' })[0] as HTMLElement);
  return { ...view, box: await screen.findByRole('combobox', { name: 'Search' }) };
}

// The first in this file: React keeps the code of the results once it was shown.
test('the field has focus as soon as it is opened, before the code of the results is there', async () => {
  const requests = shop.answer(SearchDocument, searchAnswer());
  const { user } = renderShop(<Header />);

  fireEvent.click(screen.getAllByRole('button', { name: 'Search' })[0] as HTMLElement);

  const box = screen.getByRole('combobox', { name: 'Search' });
  expect(box).toHaveFocus();
  await user.keyboard('oxford');
  expect(box).toHaveValue('oxford');
  expect(await screen.findByRole('option')).toHaveTextContent('Oxford Shirt');
  expect(screen.getByRole('combobox')).toBe(box);
  // Slow keys are searched for before the word is whole.
  await waitFor(() => expect(requests.at(-1)).toEqual({ query: 'oxford', first: 8 }));
});

// spec: screens.search.results
test('a search shows name, category and price in dollars', async () => {
  const requests = shop.answer(SearchDocument, searchAnswer());
  const { box } = await openSearch();

  fireEvent.change(box, { target: { value: 'oxford' } });

  expect(await screen.findByRole('option')).toHaveTextContent('Oxford ShirtMen, Shirts$89.00');
  expect(requests).toEqual([{ query: 'oxford', first: 8 }]);
});

// spec: validation.search, constants.search.length
test('one letter is not searched for', async () => {
  const requests = shop.answer(SearchDocument, searchAnswer());
  const { user, box } = await openSearch();

  await user.type(box, 'o');
  await new Promise((resolve) => setTimeout(resolve, 300));

  expect(requests).toEqual([]);
  expect(screen.queryByRole('option')).toBeNull();
});

// spec: screens.search.box
test('a press outside closes the box and forgets query and results', async () => {
  shop.answer(SearchDocument, searchAnswer());
  const { user, box } = await openSearch();
  await user.type(box, 'oxford');
  await screen.findByRole('option');

  await user.click(screen.getByText('elsewhere'));

  expect(screen.queryByRole('combobox')).toBeNull();
  await user.click(screen.getAllByRole('button', { name: 'Search' })[0] as HTMLElement);
  expect(await screen.findByRole('combobox')).toHaveValue('');
  expect(screen.queryByRole('option')).toBeNull();
});

test('a slip is said, with what was searched instead underlined', async () => {
  shop.answer(SearchDocument, searchAnswer({ corrected: 'oxford' }));
  const { user, box } = await openSearch();

  await user.type(box, 'oxfrod');

  expect(await screen.findByText('Nothing is called “oxfrod”. Showing', { exact: false })).toHaveTextContent(
    'Nothing is called “oxfrod”. Showing oxford',
  );
  expect(screen.getByText('Oxford', { selector: 'mark' })).toBeInTheDocument();
});

// spec: errors.logged.search
test('a failed search is only logged and empties the results', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  shop.answer(SearchDocument, searchAnswer());
  const { user, box } = await openSearch();
  await user.type(box, 'oxf');
  await screen.findByRole('option');
  shop.fail(SearchDocument, 'INTERNAL');

  await user.type(box, 'ord');

  await waitFor(() => expect(log).toHaveBeenCalledWith('The search failed.', expect.anything()));
  expect(screen.queryByRole('option')).toBeNull();
});

test('arrows choose and Enter opens the product; Esc closes the box', async () => {
  shop.answer(SearchDocument, searchAnswer());
  const { user, box } = await openSearch();
  await user.type(box, 'oxford');
  await screen.findByRole('option');

  await user.keyboard('{ArrowDown}');
  expect(screen.getByRole('option')).toHaveAttribute('aria-selected', 'true');
  await user.keyboard('{Enter}');

  expect(screen.getByTestId('address')).toHaveTextContent('/product/p1');
  expect(screen.queryByRole('combobox')).toBeNull();
});

const colorOf = (id: string, name: string) => ({
  __typename: 'Color',
  id,
  name,
  family: name,
  images: [{ __typename: 'Image', id: `i-${id}`, alt: name, avif: '', fallback: `/images/${name}.webp` }],
});

test('a product is shown in the color that is searched for, and leads to it by a press and by Enter', async () => {
  const nodes = [{ ...oxford, colors: [colorOf('c1', 'White'), colorOf('c2', 'Blue')] }];
  shop.answer(SearchDocument, searchAnswer({ products: { ...products, nodes } }));
  const { user, box } = await openSearch();
  await user.type(box, 'blue oxford');

  const option = await screen.findByRole('option');
  expect(option).toHaveAttribute('href', '/product/p1?color=Blue');
  expect(option.querySelector('img')).toHaveAttribute('src', '/images/Blue.webp');
  await user.keyboard('{ArrowDown}{Enter}');

  expect(screen.getByTestId('address')).toHaveTextContent('/product/p1?color=Blue');
});

test('Enter right after pasting shows all results', async () => {
  shop.answer(SearchDocument, searchAnswer());
  const { user } = await openSearch();

  await user.paste('oxford');
  await user.keyboard('{Enter}');

  expect(screen.getByTestId('address')).toHaveTextContent(/^\/search\?q=oxford$/);
});

// spec: screens.header.menu
test('the menu holds the three groups and closes when one is followed', async () => {
  shop.answer(CategoriesDocument, { categories: specified() });
  const { user } = renderShop(<Header />);

  await user.click(screen.getByRole('button', { name: 'Menu' }));

  const groups = await screen.findAllByRole('region');
  expect(groups.map((group) => group.getAttribute('aria-label'))).toEqual(['Men', 'Women', 'Sales & Clearance']);
  expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(
    expect.arrayContaining(['View All', 'Shirts', 'Jeans', 'Trousers', 'Women', 'Men']),
  );

  await user.click(screen.getByRole('link', { name: 'Trousers' }));

  expect(screen.getByTestId('address')).toHaveTextContent('/category/women/trousers');
  expect(screen.queryByRole('region')).toBeNull();
});
