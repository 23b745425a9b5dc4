import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkoutMemory, session } from '~/session/storage';
import { renderShop, shopServer } from '~/test/shop';
import { visitListener } from '~/test/visit';
import PaymentRoute from './payment';
import { PaymentDocument } from './payment.generated';
import { StartCheckoutDocument } from '~/features/checkout/checkout.generated';

const shop = shopServer();
const visitEvents = visitListener();

const line = (id: string, product: string) => ({
  __typename: 'CartLine',
  id,
  product: { __typename: 'Product', id: product },
});
const viewer = {
  __typename: 'Viewer',
  id: 'u1',
  cart: { __typename: 'Cart', id: 'k1', lines: [line('v1', 'p1'), line('v2', 'p1'), line('v3', 'p2')] },
} as const;

beforeEach(() => {
  session.signIn({ id: 'u1', name: 'Ada', email: 'ada@minimal.test', role: 'user' });
  shop.answer(PaymentDocument, { shop: { __typename: 'Shop', stripePublishableKey: 'pk_test' }, viewer });
});
afterEach(() => act(() => session.signOut()));

const emptyCart = { id: 'k1', count: 0, subtotal: '0.00', canCheckOut: false, discountCode: null, lines: [] };

const show = () => renderShop(<PaymentRoute />, '/payment');

describe('the payment', () => {
  // spec: screens.payment.words
  it('is prepared for the address chosen at checkout', async () => {
    checkoutMemory.setAddressId('a2');
    const requests = shop.answer(StartCheckoutDocument, {
      startCheckout: { __typename: 'CartNotReady', message: 'The cart is empty.', cart: emptyCart },
    });

    show();

    expect(screen.getByRole('heading', { name: 'Payment Details' })).toBeVisible();
    expect(screen.getByText('Preparing Secure Checkout')).toBeVisible();
    await screen.findByText('The cart is empty.');
    expect(requests).toEqual([{ addressId: 'a2' }]);
  });

  it('is told of with each product in the cart', async () => {
    shop.answer(StartCheckoutDocument, {
      startCheckout: { __typename: 'Checkout', id: 'c1', clientSecret: 'cs_1_secret', sessionId: 'cs_1' },
    });

    show();

    expect(await visitEvents()).toEqual([{ kind: 'checkout', products: ['p1', 'p2'], session: 'cs_1' }]);
  });

  // spec: screens.payment.failed
  it.each([
    ['INTERNAL', 'The shop could not open a payment. Nothing was charged.'],
    ['UNAVAILABLE', 'Refused.'],
  ])('that cannot be opened after %s says: %s', async (code, words) => {
    shop.fail(StartCheckoutDocument, code);

    show();

    expect(await screen.findByRole('heading', { name: 'Unable to initialize payment' })).toBeVisible();
    expect(screen.getByText(words)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
  });
});
