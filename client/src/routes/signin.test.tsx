import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { session } from '~/session/storage';
import { renderShop, shopServer } from '~/test/shop';
import { visitListener } from '~/test/visit';
import { toastQueue } from '~/ui/toast';
import SignInRoute from './signin';
import { AuthPageDocument } from './auth-page.generated';
import { SignInDocument } from '~/features/account/auth.generated';
import { AddToCartDocument } from '~/features/cart/add-to-cart-button.generated';

const shop = shopServer();
const visitEvents = visitListener();
const chosen = 'redirect=/product/p1&action=addToCart&variant=v7&quantity=2';
const viewer = {
  __typename: 'Viewer',
  id: 'u1',
  name: 'Ada Lindqvist',
  email: 'ada@minimal.test',
  role: 'USER',
} as const;
const cart = {
  __typename: 'Cart',
  id: 'k1',
  count: 1,
  subtotal: '96.00',
  canCheckOut: true,
  discountCode: null,
  lines: [],
} as const;

beforeEach(() => {
  shop.answer(AuthPageDocument, {
    shop: { __typename: 'Shop', googleClientId: '' },
    product: {
      __typename: 'Product',
      id: 'p1',
      name: 'Straight Jean',
      variants: [{ __typename: 'Variant', id: 'v7', size: 'M', color: { __typename: 'Color', id: 'c1' } }],
      colors: [{ __typename: 'Color', id: 'c1', images: [] }],
    },
    products: { __typename: 'ProductConnection', nodes: [] },
  });
  shop.answer(SignInDocument, { signIn: { __typename: 'SignedIn', viewer } });
});

afterEach(() => act(() => session.signOut()));

async function signIn(query: string) {
  const { user } = renderShop(<SignInRoute />, `/signin?${query}`);
  await user.type(screen.getByLabelText('E-mail'), 'ada@minimal.test');
  await user.type(screen.getByLabelText('Password'), 'Secret1!');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
}

describe('signing in to put something in the cart', () => {
  // spec: roles.visitor
  it('says why, and that the choice is kept', async () => {
    renderShop(<SignInRoute />, `/signin?${chosen}`);

    expect(screen.getByText('Please Signin to Continue')).toBeVisible();
    expect(await screen.findByText(/The Straight Jean in M is kept for you\./)).toBeVisible();
  });

  // spec: screens.paths.query
  it('carries the query over to sign-up', () => {
    renderShop(<SignInRoute />, `/signin?${chosen}`);

    const link = screen.getByRole('link', { name: 'Sign up' });
    expect(new URL((link as HTMLAnchorElement).href).searchParams.get('variant')).toBe('v7');
    expect(new URL((link as HTMLAnchorElement).href).searchParams.get('redirect')).toBe('/product/p1');
  });

  // spec: screens.paths.redirect
  it('adds it before it leads back to the product', async () => {
    const requests = shop.answer(AddToCartDocument, { addToCart: cart });

    await signIn(chosen);

    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/^\/product\/p1$/));
    expect(requests).toEqual([{ variantId: 'v7', quantity: 2 }]);
    expect(screen.getByTestId('address')).toHaveAttribute(
      'data-state',
      JSON.stringify({ added: { variantId: 'v7', quantity: 2 } }),
    );
    expect(session.user()?.email).toBe('ada@minimal.test');
    expect(await visitEvents()).toEqual([{ kind: 'added', products: ['p1'] }]);
  });

  // spec: errors.cart.add
  it('leads to the product with the choice restored when it cannot be added', async () => {
    shop.fail(AddToCartDocument, 'INTERNAL');

    await signIn(chosen);

    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/product/p1?variant=v7&quantity=2'));
    toastQueue.dismiss(toastQueue.first()?.id ?? 0);
    expect(toastQueue.first()?.text).toBe('Failed to add to cart');
  });

  it('leads home and adds nothing when the redirect is foreign', async () => {
    const requests = shop.answer(AddToCartDocument, { addToCart: cart });

    await signIn('redirect=//evil.test/&action=addToCart&variant=v7');

    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/^\/$/));
    expect(requests).toEqual([]);
  });
});

describe('a visitor of the sign-in page', () => {
  // spec: screens.paths.visitors
  it('goes home when signed in already', async () => {
    session.signIn({ id: 'u1', name: 'Ada', email: 'ada@minimal.test', role: 'user' });

    renderShop(<SignInRoute />, '/signin');

    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/^\/$/));
  });
});
