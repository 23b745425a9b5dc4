import { act, screen } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { session } from '~/session/storage';
import { renderShop, shopServer } from '~/test/shop';
import { visitListener } from '~/test/visit';
import { toastQueue } from '~/ui/toast';
import { AddToCartButton } from './add-to-cart-button';
import { AddToCartDocument } from './add-to-cart-button.generated';
import { tellAdded } from './tell-added';

const shop = shopServer();
const visitEvents = visitListener();
const product = { id: 'p1', name: 'Straight Jean', chargedPrice: '96.00' } as const;
const cart = {
  __typename: 'Cart',
  id: 'k1',
  count: 1,
  subtotal: '96.00',
  canCheckOut: true,
  discountCode: null,
  lines: [],
} as const;
const needsSize = vi.fn();

const jean = { name: 'Straight Jean', colors: [{ id: 'c1', name: 'Indigo' }] };

function Page(over: object) {
  const [added, setAdded] = useState<ReactNode>();
  return (
    <AddToCartButton
      product={product}
      variantId="v1"
      quantity={2}
      added={added}
      onAdded={() => setAdded(tellAdded(jean, { color: { id: 'c1' }, size: 'M' }, 2))}
      onNeedsSize={needsSize}
      {...over}
    />
  );
}

const show = (over = {}) => renderShop(<Page {...over} />);
const signIn = () => session.signIn({ id: 'u1', name: 'Ada', email: 'ada@minimal.test', role: 'user' });

afterEach(() => {
  act(() => session.signOut());
  needsSize.mockReset();
});

describe('Add to Cart', () => {
  // spec: roles.visitor
  it('leads a visitor to sign-in and keeps the choice in the address', async () => {
    const { user } = show();

    await user.click(screen.getByRole('button', { name: 'Add to Cart' }));

    expect(screen.getByTestId('address')).toHaveTextContent(
      '/signin?redirect=%2Fproduct%2Fp1&action=addToCart&variant=v1&quantity=2',
    );
  });

  // spec: screens.product.parts
  it('adds the chosen variant and says so', async () => {
    signIn();
    const requests = shop.answer(AddToCartDocument, { addToCart: cart });
    const { user } = show();

    await user.click(screen.getByRole('button', { name: 'Add to Cart' }));

    expect(await screen.findByRole('button', { name: 'In your cart' })).toBeVisible();
    expect(requests).toEqual([{ variantId: 'v1', quantity: 2 }]);
    expect(await visitEvents()).toEqual([{ kind: 'added', products: ['p1'] }]);
  });

  it('says what was added, and leads to the cart from the message and from the page', async () => {
    signIn();
    shop.answer(AddToCartDocument, { addToCart: cart });
    const { user } = show();

    await user.click(screen.getByRole('button', { name: 'Add to Cart' }));

    expect(await screen.findByRole('link', { name: 'View cart' })).toHaveAttribute('href', '/cart');
    expect(toastQueue.first()).toMatchObject({
      text: 'Added to your cart: 2 x Straight Jean, Indigo, M',
      action: { label: 'View cart', to: '/cart' },
    });
    expect(screen.getByText(/^Added to your cart: 2 x Straight Jean, Indigo, M\./)).toBeVisible();
    expect(await visitEvents()).toHaveLength(1);
  });

  it('asks for the size when none is chosen, visitor or not', async () => {
    const { user } = show({ variantId: null });

    await user.click(screen.getByRole('button', { name: 'Add to Cart' }));

    expect(needsSize).toHaveBeenCalledOnce();
    expect(screen.getByTestId('address')).toHaveTextContent(/^\/$/);
  });

  // spec: errors.server.words
  it('says what the server says when there are not so many', async () => {
    signIn();
    shop.answer(AddToCartDocument, { addToCart: { __typename: 'OutOfStock', message: 'Only 1 left.' } });
    const { user } = show();

    await user.click(screen.getByRole('button', { name: 'Add to Cart' }));

    expect(await screen.findByRole('alert')).toHaveTextContent('Only 1 left.');
  });

  // spec: errors.cart.add
  it('says that it failed when the shop fails', async () => {
    signIn();
    shop.fail(AddToCartDocument, 'INTERNAL');
    const { user } = show();

    await user.click(screen.getByRole('button', { name: 'Add to Cart' }));

    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to add to cart');
  });

  it('cannot be pressed when the variant is sold out', () => {
    show({ soldOut: true });

    expect(screen.getByRole('button', { name: 'Sold out' })).toBeDisabled();
  });
});
