import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { Toaster } from '~/ui/toaster';
import { CartLineRow } from './cart-line-row';
import { type CartLineFragment, RemoveFromCartDocument, SetCartQuantityDocument } from './cart-line.generated';

const shop = shopServer();

const line: CartLineFragment = {
  id: 'v1',
  quantity: 2,
  price: '120.00',
  unitPrice: '96.00',
  total: '192.00',
  priceWhenAdded: '96.00',
  problem: null,
  product: { id: 'p1', name: 'Straight Jean' },
  variant: { id: 'v1', size: 'M', stock: 5, color: { id: 'c1', name: 'Indigo' } },
  image: null,
};

const cart = {
  __typename: 'Cart',
  id: 'k1',
  count: 0,
  subtotal: '0.00',
  canCheckOut: false,
  discountCode: null,
  lines: [],
} as const;
const removed = vi.fn();

const show = (over: Partial<CartLineFragment> = {}) =>
  renderShop(
    <ul>
      <CartLineRow line={{ ...line, ...over }} onRemoved={removed} />
      <Toaster />
    </ul>,
  );

beforeEach(() => removed.mockReset());

describe('a cart line', () => {
  // spec: screens.cart.lines
  it('shows what it is, what one and all cost, and the price before', () => {
    show();

    expect(screen.getByRole('link', { name: 'Straight Jean' })).toHaveAttribute('href', '/product/p1');
    expect(screen.getByText('Indigo, M')).toBeVisible();
    expect(screen.getByText('$120.00').tagName).toBe('S');
    expect(screen.getByText('$192.00')).toBeVisible();
  });

  // spec: validation.quantity
  it('cannot go below one', () => {
    show({ quantity: 1 });

    expect(screen.getByRole('button', { name: 'One less' })).toBeDisabled();
  });

  // spec: states.cart.quantity
  it('asks for the new quantity of its variant', async () => {
    const requests = shop.answer(SetCartQuantityDocument, { setCartQuantity: cart });
    const { user } = show();

    await user.click(screen.getByRole('button', { name: 'One more' }));

    await waitFor(() => expect(requests).toEqual([{ variantId: 'v1', quantity: 3 }]));
  });

  it('goes back and says what the server says when there are not so many', async () => {
    const message = 'Only 2 of MJ1-IN-M left.';
    shop.answer(SetCartQuantityDocument, { setCartQuantity: { __typename: 'OutOfStock', message } });
    const { user } = show();

    await user.click(screen.getByRole('button', { name: 'One more' }));

    expect(await screen.findAllByText(message)).toHaveLength(2);
    expect(screen.getByRole('group', { name: 'Quantity of Straight Jean' })).toHaveTextContent('2');
  });

  // spec: errors.cart.quantity
  it('goes back and says so when the shop fails', async () => {
    shop.fail(SetCartQuantityDocument, 'INTERNAL');
    const { user } = show();

    await user.click(screen.getByRole('button', { name: 'One more' }));

    expect(await screen.findAllByText('Failed to update quantity')).toHaveLength(2);
    expect(screen.getByRole('group', { name: 'Quantity of Straight Jean' })).toHaveTextContent('2');
  });

  it('tells whoever shows it that it was removed', async () => {
    shop.answer(RemoveFromCartDocument, { removeFromCart: cart });
    const { user } = show();

    await user.click(screen.getByRole('button', { name: 'Remove Straight Jean' }));

    await waitFor(() => expect(removed).toHaveBeenCalledOnce());
  });

  // spec: errors.cart.remove
  it('stays and says so when it cannot be removed', async () => {
    shop.fail(RemoveFromCartDocument, 'INTERNAL');
    const { user } = show();

    await user.click(screen.getByRole('button', { name: 'Remove Straight Jean' }));

    expect(await screen.findAllByText('Failed to remove item')).toHaveLength(2);
    expect(removed).not.toHaveBeenCalled();
  });

  it.each([
    ['SOLD_OUT', 'Sold out in M. It is not counted in the subtotal.'],
    ['RETIRED', 'No longer sold. It is not counted in the subtotal.'],
  ] as const)('that is %s says so and has no quantity to change', (problem, words) => {
    show({ problem });

    expect(screen.getByText(words)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'One more' })).not.toBeInTheDocument();
  });

  it('says how many are left when more are wanted', () => {
    show({ problem: 'NOT_ENOUGH_STOCK', quantity: 9 });

    expect(screen.getByText('Only 5 left in M; you want 9.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'One less' })).toBeEnabled();
  });

  it.each([
    ['120.00', 'The price went down since you added it. It was $120.00.'],
    ['78.50', 'The price went up since you added it. It was $78.50.'],
  ])('put in at %s says: %s', (priceWhenAdded, words) => {
    show({ priceWhenAdded });

    expect(screen.getByText(words)).toBeVisible();
  });
});
