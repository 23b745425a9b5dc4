import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { session } from '~/session/storage';
import { renderShop, shopServer } from '~/test/shop';
import { AppRoutes } from './router';
import { ProfileDocument } from '~/session/session.generated';
import { AuthPageDocument } from '~/routes/auth-page.generated';
import { CartCountDocument } from '~/features/cart/cart-count.generated';

const shop = shopServer();
const viewer = {
  __typename: 'Viewer',
  id: 'u1',
  name: 'Ada Lovelace',
  email: 'ada@shop.test',
  role: 'USER',
  isPrimaryAdmin: false,
  adminRequest: false,
} as const;
const hint = (value: string) => {
  document.cookie = `signedIn-${location.port || '80'}=${value}; Path=/`;
};

beforeEach(() => {
  shop.answer(CartCountDocument, { viewer: null });
});
afterEach(() => {
  session.signOut();
  window.history.replaceState(null, '', '/');
});

test('a session that this browser forgot is recalled, until the moment the server named', async () => {
  const until = Date.now() + 3_600_000;
  hint(String(until));
  shop.answer(ProfileDocument, { viewer });

  renderShop(<AppRoutes />, '/about');

  expect(await screen.findByRole('button', { name: 'Account of Ada Lovelace' }, { timeout: 5000 })).toBeVisible();
  expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual({
    id: 'u1',
    name: 'Ada Lovelace',
    email: 'ada@shop.test',
    role: 'user',
    expiresAt: until,
  });
});

test('a hint that the server knows nothing of leads to sign-in', async () => {
  hint(String(Date.now() + 3_600_000));
  shop.answer(ProfileDocument, { viewer: null });
  shop.answer(AuthPageDocument, { shop: { __typename: 'Shop', googleClientId: 'client' }, products: { nodes: [] } });

  window.history.replaceState(null, '', '/add-address');
  renderShop(<AppRoutes />, '/add-address');

  expect(await screen.findByRole('heading', { name: 'Sign In' }, { timeout: 5000 })).toBeVisible();
  expect(screen.getByTestId('address')).toHaveTextContent('/signin');
});

test('a visitor asks nothing', () => {
  hint(String(Date.now() - 1));

  expect(session.isUnknown()).toBe(false);
});
