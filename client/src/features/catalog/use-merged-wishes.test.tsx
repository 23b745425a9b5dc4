import { act, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { useMergedWishes } from './use-merged-wishes';
import { MergeWishlistDocument } from './merge-wishes.generated';

const shop = shopServer();
const noted = () => localStorage.getItem('minimal:wishlist');

function Watch({ userId }: { userId?: string }) {
  useMergedWishes(userId);
  return null;
}

const merged = { __typename: 'Wishlist', id: 'w1', count: 2, productIds: ['p1', 'p2'] } as const;
const moment = () => act(() => new Promise((resolve) => setTimeout(resolve, 100)));

test('what a visitor kept goes to the account at sign-in and out of the browser', async () => {
  localStorage.setItem('minimal:wishlist', '["p1","p2"]');
  localStorage.setItem('minimal:wishlist-colors', '["c2","c1"]');
  const requests = shop.answer(MergeWishlistDocument, { mergeWishlist: merged });

  renderShop(<Watch userId="u1" />);

  await waitFor(() => expect(noted()).toBeNull());
  expect(localStorage.getItem('minimal:wishlist-colors')).toBeNull();
  expect(requests).toEqual([{ productIds: ['p1', 'p2'], colorIds: ['c2', 'c1'] }]);
});

test('an empty list is not sent, nor is one while nobody is signed in', async () => {
  const requests = shop.answer(MergeWishlistDocument, { mergeWishlist: merged });
  renderShop(<Watch userId="u1" />);
  localStorage.setItem('minimal:wishlist', '["p1"]');

  renderShop(<Watch />);
  await moment();

  expect(requests).toEqual([]);
});

test('the list stays in the browser when the server could not take it', async () => {
  localStorage.setItem('minimal:wishlist', '["p1"]');
  localStorage.setItem('minimal:wishlist-colors', '["c1"]');
  shop.fail(MergeWishlistDocument, 'INTERNAL');

  renderShop(<Watch userId="u1" />);
  await moment();

  expect(noted()).toBe('["p1"]');
  expect(localStorage.getItem('minimal:wishlist-colors')).toBe('["c1"]');
});
