import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { session } from '~/session/storage';
import { AddToCartDocument } from '~/features/cart/add-to-cart-button.generated';
import { renderShop, shopServer } from '~/test/shop';
import { toastQueue } from '~/ui/toast';
import CartRoute from './cart';
import { CartDocument } from './cart.generated';
import { type CartLineFragment, RemoveFromCartDocument } from '~/features/cart/cart-line.generated';

const shop = shopServer();
const line = {
  __typename: 'CartLine',
  id: 'v1',
  quantity: 2,
  price: '120.00',
  unitPrice: '96.00',
  total: '192.00',
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

function holding(lines: CartLineFragment[], over = {}) {
  const cart = {
    __typename: 'Cart',
    id: 'k1',
    count: lines.length,
    subtotal: '192.00',
    canCheckOut: true,
    discountCode: null,
    lines,
    ...over,
  };
  shop.answer(CartDocument, { viewer: { __typename: 'Viewer', id: 'u1', cart } });
}

beforeEach(() => session.signIn({ id: 'u1', name: 'Ada', email: 'ada@minimal.test', role: 'user' }));
afterEach(() => act(() => session.signOut()));

const show = () => renderShop(<CartRoute />, '/cart');

describe('the cart', () => {
  // spec: screens.cart.lines, screens.cart.summary
  it('lists its items beside a summary that leads to checkout', async () => {
    holding([line]);

    show();

    expect(await screen.findByRole('heading', { name: 'Straight Jean' })).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'Shopping Cart' })).toBeVisible();
    const summary = within(screen.getByRole('complementary', { name: 'Order Summary' }));
    expect(summary.getByText('Subtotal').nextElementSibling).toHaveTextContent('$192.00');
    expect(summary.getByText('Shipping').nextElementSibling).toHaveTextContent('Calculated at checkout');
    expect(summary.getByRole('link', { name: 'Proceed to Checkout' })).toHaveAttribute('href', '/checkout');
  });

  it('cannot be checked out while a line cannot be bought', async () => {
    holding([{ ...line, problem: 'SOLD_OUT' }], { canCheckOut: false });

    show();

    expect(await screen.findByRole('button', { name: 'Proceed to Checkout' })).toBeDisabled();
  });

  // spec: screens.cart.empty
  it('says that it is empty and leads on', async () => {
    holding([], { subtotal: '0.00', canCheckOut: false });

    show();

    expect(await screen.findByText('Your cart is empty')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Continue Shopping' })).toHaveAttribute('href', '/');
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  // spec: screens.cart.failed, errors.cart.load
  it.each([
    ['INTERNAL', 'Failed to load cart items'],
    ['UNAVAILABLE', 'Refused.'],
  ])('that does not load after %s says: %s', async (code, words) => {
    shop.fail(CartDocument, code);

    show();

    expect(await screen.findByRole('heading', { name: 'Unable to initialize payment' })).toBeVisible();
    expect(screen.getByText(words)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
  });
});

describe('a line that was removed', () => {
  const empty = {
    __typename: 'Cart',
    id: 'k1',
    count: 0,
    subtotal: '0.00',
    canCheckOut: false,
    discountCode: null,
    lines: [],
  } as const;

  async function remove() {
    holding([line]);
    shop.answer(RemoveFromCartDocument, { removeFromCart: empty });
    const { user } = show();
    await user.click(await screen.findByRole('button', { name: 'Remove Straight Jean' }));
    await screen.findByText('Your cart is empty');
    return user;
  }

  // spec: errors.done.cart
  it('is said, and comes back with Undo in the same quantity', async () => {
    const added = shop.answer(AddToCartDocument, { addToCart: empty });
    await remove();
    const message = toastQueue.first();
    expect(message?.text).toBe('Item removed from cart');

    if (message?.action && 'run' in message.action) message.action.run();

    await waitFor(() => expect(added).toEqual([{ variantId: 'v1', quantity: 2 }]));
    await waitFor(() => expect(screen.queryByText('Removed: Straight Jean, Indigo, M')).toBeNull());
  });

  it('can be put back from the page when the message is gone', async () => {
    const added = shop.answer(AddToCartDocument, { addToCart: { ...empty, lines: [line] } });
    const user = await remove();
    act(() => toastQueue.clear());

    expect(screen.getByText('Removed: Straight Jean, Indigo, M')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Undo: Straight Jean' }));

    await waitFor(() => expect(added).toEqual([{ variantId: 'v1', quantity: 2 }]));
    expect(await screen.findByRole('heading', { name: 'Straight Jean' })).toBeVisible();
    expect(screen.queryByText('Removed: Straight Jean, Indigo, M')).toBeNull();
  });
});
