import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { jean } from '~/features/catalog/fixtures';
import { renderShop, shopServer } from '~/test/shop';
import SearchRoute from './search';

const shop = shopServer();

test('a failed search is logged, and nothing is shown', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  shop.fail('SearchPage', 'UNAVAILABLE');

  renderShop(<SearchRoute />, '/search?q=jean');

  await waitFor(() => expect(log).toHaveBeenCalledWith('The search failed.', expect.anything()));
  expect(screen.queryByRole('article')).toBeNull();
  expect(screen.queryByText('Refused.')).toBeNull();
});

test('what was found before is emptied when another search fails', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const products = [{ __typename: 'Product', ...jean() }];
  shop.answer('SearchPage', { search: { __typename: 'SearchResult', corrected: null, suggestions: [], products } });
  const { client } = renderShop(<SearchRoute />, '/search?q=jean');
  await screen.findByRole('article', { name: 'Straight Jean' });

  shop.fail('SearchPage', 'UNAVAILABLE');
  await client.refetchQueries({ include: 'active' }).catch(() => undefined);

  await waitFor(() => expect(screen.queryByRole('article')).toBeNull());
  expect(log).toHaveBeenCalled();
});
