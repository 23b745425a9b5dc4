import { act, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartCheckoutDocument } from '~/features/checkout/checkout.generated';
import { CompleteCheckoutDocument } from '~/features/checkout/complete-checkout.generated';
import { checkoutMemory } from '~/session/checkout-memory';
import { session } from '~/session/storage';
import { renderShop, shopServer } from '~/test/shop';
import { visitListener } from '~/test/visit';
import PaymentRoute from './payment';
import { PaymentDocument, PaymentSummaryDocument } from './payment.generated';

const shop = shopServer();
const visitEvents = visitListener();

const line = (id: string, product: string) =>
  ({
    __typename: 'CartLine',
    id,
    quantity: 1,
    total: '96.00',
    problem: null,
    product: { __typename: 'Product', id: product, name: `Jean ${product}` },
    variant: { __typename: 'Variant', id, size: 'M', color: { __typename: 'Color', id: 'c1', name: 'Indigo' } },
    image: null,
  }) as const;
const quote = {
  __typename: 'CheckoutQuote',
  address: {
    __typename: 'OrderAddress',
    name: 'Ada Lindqvist',
    lines: ['Ada Lindqvist', 'Hornsgatan 48', '118 21 Stockholm', 'Sweden'],
    phone: '+46 70 123 45 67',
  },
  subtotal: '288.00',
  discountCode: null,
  discount: '0.00',
  delivery: { __typename: 'DeliveryCharge', name: 'Europe', price: '12.00', minDays: 4, maxDays: 7 },
  tax: null,
  total: '300.00',
} as const;
const cart = {
  __typename: 'Cart',
  id: 'k1',
  count: 3,
  subtotal: '288.00',
  canCheckOut: true,
  discountCode: null,
  lines: [line('v1', 'p1'), line('v2', 'p1'), line('v3', 'p2')],
} as const;
const emptyCart = { ...cart, count: 0, subtotal: '0.00', canCheckOut: false, lines: [] } as const;
const viewer = { __typename: 'Viewer', id: 'u1', cart, checkoutQuote: quote } as const;
const started = {
  startCheckout: { __typename: 'Checkout', id: 'c1', clientSecret: 'cs_1_secret', sessionId: 'cs_1', quote },
} as const;
const settled = { completeCheckout: { __typename: 'PaymentProcessing', message: 'On its way.' } } as const;
const unpaid = { completeCheckout: { __typename: 'PaymentNotCompleted', message: 'Not paid.' } } as const;

beforeEach(() => {
  session.signIn({ id: 'u1', name: 'Ada', email: 'ada@minimal.test', role: 'user' });
  shop.answer(PaymentDocument, { shop: { __typename: 'Shop', stripePublishableKey: 'pk_test' } });
  shop.answer(PaymentSummaryDocument, { viewer });
});
afterEach(() => act(() => session.signOut()));

const show = (at: Parameters<typeof renderShop>[1] = '/payment') =>
  renderShop(
    <Routes>
      <Route path="/payment" element={<PaymentRoute />} />
      <Route path="*" element="Elsewhere" />
    </Routes>,
    at,
  );
const again = () => show({ pathname: '/payment', state: { sessionId: 'cs_1' } });
const summary = async () => within(await screen.findByRole('complementary', { name: 'Order Summary' }));

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

  it('shows what is bought, where it goes and the total, while the card form is prepared too', async () => {
    const open = shop.hold(StartCheckoutDocument, {
      startCheckout: { ...started.startCheckout, quote: { ...quote, total: '310.00' } },
    });

    show();

    expect((await summary()).getAllByText(/^Jean p/)).toHaveLength(3);
    expect(screen.getByText('Preparing Secure Checkout')).toBeVisible();
    expect(within(screen.getByRole('region', { name: 'Deliver to' })).getByText(/Hornsgatan 48/)).toBeVisible();
    expect((await summary()).getByText('Total').nextElementSibling).toHaveTextContent('$300.00');
    open();
    await waitFor(async () =>
      expect((await summary()).getByText('Total').nextElementSibling).toHaveTextContent('$310.00'),
    );
    expect(await visitEvents()).toHaveLength(1);
  });

  it('is told of with each product in the cart', async () => {
    shop.answer(StartCheckoutDocument, started);

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
    expect(screen.getByRole('link', { name: 'Back to the cart' })).toHaveAttribute('href', '/cart');
  });
});

describe('back to a payment', () => {
  it('that has been paid is the result of the payment', async () => {
    const asked = shop.answer(CompleteCheckoutDocument, settled);
    const begun = shop.answer(StartCheckoutDocument, started);

    again();

    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/payment/return?session_id=cs_1'));
    expect(asked).toEqual([{ sessionId: 'cs_1' }]);
    expect(begun).toEqual([]);
  });

  it('that has not been paid opens it again', async () => {
    shop.answer(CompleteCheckoutDocument, unpaid);
    const begun = shop.answer(StartCheckoutDocument, started);

    again();

    await waitFor(() => expect(begun).toHaveLength(1));
    expect(screen.getByTestId('address')).toHaveTextContent(/^\/payment$/);
  });

  it('never takes a broken connection for a payment', async () => {
    shop.fail(CompleteCheckoutDocument, 'INTERNAL');
    const begun = shop.answer(StartCheckoutDocument, started);

    again();

    await waitFor(() => expect(begun).toHaveLength(1));
  });

  it('that the browser restores as it was left is the result of the payment', async () => {
    shop.answer(StartCheckoutDocument, started);
    show();
    expect(await visitEvents()).toHaveLength(1);
    const asked = shop.answer(CompleteCheckoutDocument, settled);

    const restored = Object.assign(new Event('pageshow'), { persisted: true });
    act(() => void window.dispatchEvent(restored));

    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/payment/return?session_id=cs_1'));
    expect(asked).toEqual([{ sessionId: 'cs_1' }]);
  });

  it('remembers its session in the entry of the history', async () => {
    shop.answer(StartCheckoutDocument, started);

    show();

    await waitFor(() => expect(screen.getByTestId('address')).toHaveAttribute('data-state', '{"sessionId":"cs_1"}'));
  });
});
