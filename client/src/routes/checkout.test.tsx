import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkoutMemory } from '~/session/checkout-memory';
import { session } from '~/session/storage';
import { renderShop, shopServer } from '~/test/shop';
import { toastQueue } from '~/ui/toast';
import CheckoutRoute from './checkout';
import { CheckoutDocument, CheckoutQuoteDocument } from './checkout.generated';

const shop = shopServer();
const home = {
  __typename: 'Address',
  id: 'a1',
  name: 'Ada Lindqvist',
  lines: ['Ada Lindqvist', 'Hornsgatan 48', 'SE-118 21 Stockholm', 'Sweden'],
  phone: '+46 70 123 45 67',
  isDefault: true,
} as const;
const work = {
  ...home,
  id: 'a2',
  lines: ['Ada Lindqvist', 'Kungsgatan 5', 'Stockholm', 'Sweden'],
  isDefault: false,
} as const;
const line = {
  __typename: 'CartLine',
  id: 'v1',
  quantity: 2,
  total: '192.00',
  problem: null,
  product: { __typename: 'Product', id: 'p1', name: 'Straight Jean' },
  variant: { __typename: 'Variant', id: 'v1', size: 'M', color: { __typename: 'Color', id: 'c1', name: 'Indigo' } },
  image: null,
} as const;

const { __typename: _, id: __, isDefault: ___, ...postal } = home;
const quote = {
  __typename: 'CheckoutQuote',
  address: { __typename: 'OrderAddress', ...postal },
  subtotal: '192.00',
  discountCode: null,
  discount: '0.00',
  delivery: { __typename: 'OrderDelivery', name: 'Europe', price: '12.00', minDays: 4, maxDays: 7 },
  tax: null,
  total: '204.00',
} as const;

function holding(addresses: (typeof home | typeof work)[], lines: (typeof line)[] = [line]) {
  const cart = {
    __typename: 'Cart',
    id: 'k1',
    count: lines.length,
    subtotal: '192.00',
    canCheckOut: true,
    discountCode: null,
    lines,
  };
  shop.answer(CheckoutDocument, { viewer: { __typename: 'Viewer', id: 'u1', addresses, cart } });
  shop.answer(CheckoutQuoteDocument, { viewer: { __typename: 'Viewer', id: 'u1', checkoutQuote: quote } });
}

beforeEach(() => session.signIn({ id: 'u1', name: 'Ada', email: 'ada@minimal.test', role: 'user' }));
afterEach(() => act(() => session.signOut()));

const show = () => renderShop(<CheckoutRoute />, '/checkout');
const goOn = () => screen.findByRole('button', { name: 'Proceed to Payment' });
const at = () => screen.getByTestId('address').textContent;

describe('the checkout', () => {
  // spec: screens.checkout.parts
  it('offers every address, a way to a new one, and what is bought with its total', async () => {
    holding([home, work]);

    show();

    expect(await screen.findAllByRole('radio')).toHaveLength(2);
    expect(screen.getByRole('heading', { name: 'Select Delivery Address' })).toBeVisible();
    expect(screen.getByRole('radio', { name: /Hornsgatan 48/ })).toBeChecked();
    expect(screen.getByRole('link', { name: 'Add New Address' })).toHaveAttribute(
      'href',
      '/add-address?redirect=checkout',
    );
    const summary = within(screen.getByRole('complementary', { name: 'Order Summary' }));
    expect(summary.getByText('Straight Jean')).toBeVisible();
    expect((await summary.findByText('Total')).nextElementSibling).toHaveTextContent('$204.00');
  });

  // spec: entities.storage.checkout, states.checkout.path
  it('remembers the chosen address and goes to payment', async () => {
    holding([home, work]);
    const { user } = show();

    await user.click(await screen.findByRole('radio', { name: /Kungsgatan 5/ }));
    await user.click(await goOn());

    expect(localStorage.getItem('checkoutAddressId')).toBe('a2');
    expect(at()).toBe('/payment');
  });

  it('lets nobody go on before it is known what it comes to', async () => {
    holding([home]);
    const release = shop.hold(CheckoutQuoteDocument, {
      viewer: { __typename: 'Viewer', id: 'u1', checkoutQuote: quote },
    });
    const { user } = show();

    await user.click(await screen.findByRole('button', { name: 'Calculating ...' }));
    expect(at()).toBe('/checkout');
    expect(screen.getByText('Total').nextElementSibling).toHaveTextContent('–');
    release();
    await user.click(await goOn());

    expect(at()).toBe('/payment');
  });

  it('comes back to the address chosen last time', async () => {
    checkoutMemory.setAddressId('a2');
    holding([home, work]);

    show();

    expect(await screen.findByRole('radio', { name: /Kungsgatan 5/ })).toBeChecked();
  });

  // spec: validation.checkout
  it('asks for an address when there is none, and stays', async () => {
    holding([]);
    const { user } = show();

    await user.click(await goOn());

    expect(await screen.findByText('Please select a delivery address')).toBeVisible();
    expect(toastQueue.first()?.text).toBe('Please select a delivery address');
    expect(at()).toBe('/checkout');
  });

  // spec: errors.address.fetch
  it('says so when the addresses could not be fetched', async () => {
    shop.fail(CheckoutDocument, 'INTERNAL');

    show();

    expect(await screen.findByText('Failed to fetch addresses')).toBeVisible();
  });

  it('has nothing to ask for an empty cart', async () => {
    holding([home], []);

    show();

    await waitFor(() => expect(screen.getByText('Your cart is empty')).toBeVisible());
  });
});
