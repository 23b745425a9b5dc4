import { expect, it } from 'vitest';
import { isPublic } from './keep';

it.each(['/', '/category/men', '/category/sale/women', '/product/018cc251', '/search', '/help/how-to-buy', '/terms'])(
  'keeps %s for a visit without network',
  (path) => {
    expect(isPublic(path)).toBe(true);
  },
);

it.each(['/cart', '/account', '/wishlist', '/payment/return', '/edit-address/1', '/admin', '/admin/stock', '/nowhere'])(
  'keeps nothing of %s',
  (path) => {
    expect(isPublic(path)).toBe(false);
  },
);
