import { act, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { type ReactNode, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SignOutDocument } from '~/features/account/account-actions.generated';
import { AddToCartButton } from '~/features/cart/add-to-cart-button';
import { AddToCartDocument } from '~/features/cart/add-to-cart-button.generated';
import { CartCountDocument } from '~/features/cart/cart-count.generated';
import { RemoveFromCartDocument } from '~/features/cart/cart-line.generated';
import { tellAdded } from '~/features/cart/tell-added';
import CartRoute from '~/routes/cart';
import { CartDocument } from '~/routes/cart.generated';
import { ProfileDocument } from '~/session/session.generated';
import { session } from '~/session/storage';
import { renderShop, shopServer } from '~/test/shop';
import { toastQueue } from '~/ui/toast';
import { Layout } from './layout';

const shop = shopServer();
const SOURCES: Record<string, string> = import.meta.glob('../**/*.{ts,tsx}', {
  query: '?raw',
  eager: true,
  import: 'default',
});
const WITH_ACTION = /toast\.(?:info|success|error)\([^;]*?\{\s*label:/;
const EXPIRED = 'Session expired. Please sign in again.';

const line = {
  __typename: 'CartLine',
  id: 'v1',
  quantity: 1,
  price: '96.00',
  unitPrice: '96.00',
  total: '96.00',
  priceWhenAdded: '96.00',
  problem: null,
  product: { __typename: 'Product', id: 'p1', name: 'Straight Jean' },
  variant: {
    __typename: 'Variant',
    id: 'v1',
    size: 'M',
    stock: 5,
    color: { __typename: 'Color', id: 'c1', name: 'Indigo' },
  },
  image: null,
} as const;
const cart = {
  __typename: 'Cart',
  id: 'k1',
  count: 1,
  subtotal: '96.00',
  canCheckOut: true,
  discountCode: null,
  lines: [line],
} as const;
const ada = { id: 'u1', name: 'Ada Lindqvist', email: 'ada@minimal.test', role: 'user' } as const;

const jean = { name: 'Straight Jean', colors: [{ id: 'c1', name: 'Indigo' }] };

function Product() {
  const [added, setAdded] = useState<ReactNode>();
  return (
    <AddToCartButton
      product={{ id: 'p1', name: 'Straight Jean', chargedPrice: '96.00' }}
      variantId="v1"
      quantity={1}
      added={added}
      onAdded={() => setAdded(tellAdded(jean, { color: { id: 'c1' }, size: 'M' }, 1))}
      onNeedsSize={() => undefined}
    />
  );
}

beforeEach(() => {
  session.signIn(ada);
  Object.assign(navigator, { sendBeacon: () => true });
  shop.answer(CartCountDocument, { viewer: { __typename: 'Viewer', id: 'u1', cart } });
  shop.answer(CartDocument, { viewer: { __typename: 'Viewer', id: 'u1', cart } });
  shop.answer(AddToCartDocument, { addToCart: cart });
  shop.answer(RemoveFromCartDocument, { removeFromCart: { ...cart, count: 0, lines: [] } });
  shop.answer(SignOutDocument, { signOut: { __typename: 'Success', ok: true } });
  shop.answer(ProfileDocument, {
    viewer: { __typename: 'Viewer', ...ada, role: 'USER', isPrimaryAdmin: false, adminRequest: false },
  });
});
afterEach(() => {
  act(() => session.signOut());
  vi.useRealTimers();
});

const press = async (name: RegExp, page: ReturnType<typeof renderShop>) =>
  page.user.click(await screen.findByRole('button', { name }));

/** Each message that offers something to press: where it is said, and how a page comes to say it. */
const ACTIONS = [
  {
    file: '../app/session-watch.tsx',
    role: 'link',
    name: 'Sign In',
    say: async () => {
      renderShop(<Layout />);
      await screen.findByRole('button', { name: 'Account of Ada Lindqvist' });
      await waitFor(() => act(() => session.expire()));
    },
  },
  {
    file: '../features/cart/tell-added.tsx',
    role: 'link',
    name: 'View cart',
    say: () => press(/^Add to Cart/, renderShop(<Product />)),
  },
  {
    file: '../features/cart/use-removed-lines.ts',
    role: 'button',
    name: /^Undo/,
    say: () => press(/^Remove/, renderShop(<CartRoute />, '/cart')),
  },
] as const;

test('every message that offers something to press is in the table', () => {
  const files = Object.entries(SOURCES)
    .filter(([file, source]) => !file.includes('.test.') && WITH_ACTION.test(source))
    .map(([file]) => file.replace(/^\.\//, '../app/'));

  expect(files.toSorted()).toEqual(ACTIONS.map(({ file }) => file).toSorted());
});

test.each(ACTIONS)('what $file offers to press stands on the page too', async ({ say, role, name }) => {
  await say();
  await waitFor(() => expect(toastQueue.first()?.action?.label).toMatch(name));
  act(() => toastQueue.clear());

  expect(screen.getByRole(role, { name })).toBeInTheDocument();
});

test('a session that ended while something was sent is one message, and said beside it', async () => {
  shop.fail(AddToCartDocument, 'UNAUTHENTICATED');
  const page = renderShop(
    <Routes>
      <Route element={<Layout />}>
        <Route path="*" element={<Product />} />
      </Route>
    </Routes>,
    '/product/p1',
  );
  await screen.findByRole('button', { name: 'Account of Ada Lindqvist' });

  await press(/^Add to Cart/, page);

  expect(await screen.findByRole('alert')).toHaveTextContent(EXPIRED);
  await waitFor(() => expect(toastQueue.first()).toMatchObject({ text: EXPIRED, action: { label: 'Sign In' } }));
  toastQueue.dismiss(toastQueue.first()?.id ?? 0);
  expect(toastQueue.first()).toBeUndefined();
  expect(screen.getByTestId('address')).toHaveTextContent('/product/p1');
});
