import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { jean, twoLeft } from '~/features/catalog/fixtures';
import { renderShop, shopServer } from '~/test/shop';
import SearchRoute from './search';
import { FoundListDocument } from '~/features/catalog/product-list.generated';
import { SearchPageDocument } from './search.generated';

const shop = shopServer();

function heads(totalCount: number, corrected: string | null = null) {
  const products = { __typename: 'ProductConnection', totalCount, facets: twoLeft };
  return shop.answer(SearchPageDocument, { search: { __typename: 'SearchResult', corrected, products } });
}

function finds(
  ids: string[],
  totalCount = ids.length,
  endCursor: string | null = null,
  corrected: string | null = null,
) {
  const nodes = ids.map((id) => {
    const product = jean({ id, name: `Jean ${id}` });
    const colors = product.colors.map((color) => ({ __typename: 'Color', ...color }));
    return { __typename: 'Product', ...product, colors, sizes: ['M' as const], variants: [] };
  });
  const pageInfo = { __typename: 'PageInfo', hasNextPage: endCursor !== null, endCursor };
  const products = { __typename: 'ProductConnection', totalCount, nodes, pageInfo };
  return shop.answer(FoundListDocument, { search: { __typename: 'SearchResult', corrected, products } });
}

beforeEach(() => {
  heads(2);
});

test('asks for the words with the address’s filters and its order, and tells the true count', async () => {
  const headed = heads(31);
  const requests = finds(['1', '2'], 31, 'after-2');

  renderShop(<SearchRoute />, '/search?q=+navy+jean&size=M&stock=in&sort=price');

  await screen.findByRole('article', { name: 'Jean 1' });
  const filter = { sizes: ['M' as const], inStock: true };
  expect(headed).toEqual([{ query: 'navy jean', filter }]);
  expect(requests).toEqual([
    { query: 'navy jean', filter, sort: 'PRICE_ASCENDING', first: 12, after: null, withRows: false },
  ]);
  expect(screen.getAllByText('31 pieces')[0]).toBeInTheDocument();
});

test('products show the color that is searched for, and lead to it', async () => {
  finds(['1']);

  renderShop(<SearchRoute />, '/search?q=black+jean');

  const card = await screen.findByRole('article', { name: 'Jean 1' });
  expect(within(card).getByRole('radio', { name: 'Black' })).toBeChecked();
  expect(within(card).getAllByRole('link')[0]).toHaveAttribute('href', '/product/1?color=Black');
});

test('products show the color of the words that were meant', async () => {
  finds(['1'], 1, null, 'black jean');

  renderShop(<SearchRoute />, '/search?q=blakc+jean');

  const card = await screen.findByRole('article', { name: 'Jean 1' });
  expect(within(card).getByRole('radio', { name: 'Black' })).toBeChecked();
});

test('best matches come first, and the words stay in the address with filters and pages', async () => {
  finds(['1', '2'], 3, 'after-2');
  const { user } = renderShop(<SearchRoute />, '/search?q=jean');
  await screen.findByText('2 of 3 pieces');

  const more = finds(['3'], 3);
  await user.click(screen.getByRole('link', { name: 'Show the next 1' }));

  await screen.findByRole('article', { name: 'Jean 3' });
  expect(screen.getByRole('article', { name: 'Jean 1' })).toBeInTheDocument();
  expect(more).toEqual([expect.objectContaining({ query: 'jean', sort: 'RELEVANCE', after: 'after-2' })]);
  expect(screen.getByTestId('address')).toHaveTextContent('/search?q=jean&after=after-2');

  await user.click(screen.getAllByRole('checkbox', { name: 'In stock' })[0] as HTMLElement);
  await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/search?q=jean&stock=in'));
});

test('nothing found leads on; nothing left by the filters can be cleared', async () => {
  heads(0);
  finds([]);
  const { unmount } = renderShop(<SearchRoute />, '/search?q=kayak');
  expect(await screen.findByText('Nothing for “kayak”')).toBeInTheDocument();
  expect(screen.queryByRole('group', { name: 'View' })).toBeNull();
  unmount();

  const { user } = renderShop(<SearchRoute />, '/search?q=jean&sale=on');
  await user.click(await screen.findByRole('button', { name: 'Clear the filters' }));
  await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/q=jean$/));
});

test('says what was searched instead of a slip', async () => {
  heads(1, 'jeans');
  finds(['1']);

  renderShop(<SearchRoute />, '/search?q=jenas');

  expect(await screen.findByText('jeans')).toBeInTheDocument();
});

test('a failed search is logged, and nothing is shown', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  shop.fail(SearchPageDocument, 'UNAVAILABLE');
  shop.fail(FoundListDocument, 'UNAVAILABLE');

  renderShop(<SearchRoute />, '/search?q=jean');

  await waitFor(() => expect(log).toHaveBeenCalledWith('The search failed.', expect.anything()));
  expect(screen.queryByRole('article')).toBeNull();
  expect(screen.queryByText('Refused.')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('what was found before is emptied when another search fails', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  finds(['1']);
  const { client } = renderShop(<SearchRoute />, '/search?q=jean');
  await screen.findByRole('article', { name: 'Jean 1' });

  shop.fail(SearchPageDocument, 'UNAVAILABLE');
  shop.fail(FoundListDocument, 'UNAVAILABLE');
  await client.refetchQueries({ include: 'active' }).catch(() => undefined);

  await waitFor(() => expect(screen.queryByRole('article')).toBeNull());
  expect(log).toHaveBeenCalled();
});
