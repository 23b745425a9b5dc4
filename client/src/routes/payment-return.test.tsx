import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkoutMemory } from '~/session/checkout-memory';
import { session } from '~/session/storage';
import { renderShop, shopServer } from '~/test/shop';
import { AccountOrdersDocument } from './account.generated';
import { CartDocument } from './cart.generated';
import PaymentReturnRoute from './payment-return';
import { PaymentReturnDocument } from './payment-return.generated';
import { CompleteCheckoutDocument } from '~/features/checkout/complete-checkout.generated';

const shop = shopServer();
const cart = {
  __typename: 'Cart',
  id: 'k1',
  count: 0,
  subtotal: '0.00',
  canCheckOut: false,
  discountCode: null,
  lines: [],
} as const;
const line = (id: string, quantity: number) =>
  ({
    __typename: 'OrderLine',
    id,
    name: 'Straight Jean',
    color: 'Indigo',
    size: 'M',
    quantity,
    shipped: 0,
    price: '32.00',
    total: '32.00',
    productId: 'p1',
    image: null,
  }) as const;
const order = {
  __typename: 'Order',
  id: 'o2',
  number: 'M-10002',
  createdAt: '2026-11-21T12:00:00Z',
  paymentStatus: 'PAID',
  fulfilment: 'UNFULFILLED',
  subtotal: '96.00',
  discountCode: null,
  discount: '0.00',
  delivery: { __typename: 'DeliveryCharge', name: 'Europe', price: '0.00', minDays: 3, maxDays: 5 },
  tax: null,
  totalAmount: '96.00',
  refundedAmount: '0.00',
  isCanceled: false,
  isDisputed: false,
  canCancel: true,
  cancelableUntil: '2026-11-21T14:00:00Z',
  returnableUntil: '2026-12-17T14:31:00Z',
  invoiceUrl: '/orders/o2/invoice.pdf',
  timeline: [],
  shipments: [],
  returns: [],
  lines: [line('l1', 1), line('l2', 2)],
  shippingAddress: {
    __typename: 'OrderAddress',
    name: 'Ada',
    lines: ['Ada', 'Hornsgatan 48', 'Stockholm', 'Sweden'],
    phone: '1',
  },
} as const;
const completed = { completeCheckout: { __typename: 'CheckoutCompleted', cart, order } } as const;

const shopAt = (timeZone: string, known: typeof order | null = null) =>
  shop.answer(PaymentReturnDocument, {
    shop: { __typename: 'Shop', timeZone },
    viewer: { __typename: 'Viewer', id: 'u1', orderOfSession: known },
  });

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  shopAt('America/New_York');
  session.signIn({ id: 'u1', name: 'Ada', email: 'ada@minimal.test', role: 'user' });
});

afterEach(() => {
  act(() => session.signOut());
  vi.useRealTimers();
});

const arrive = (query = '?session_id=cs_1') => renderShop(<PaymentReturnRoute />, `/payment/return${query}`);

describe('the return from payment', () => {
  // spec: calls.payment.delay
  it('says that it is confirming, and confirms after 100 ms', async () => {
    vi.useFakeTimers();
    const requests = shop.answer(CompleteCheckoutDocument, completed);
    const { client } = arrive();
    const sent = vi.spyOn(client, 'mutate');
    expect(screen.getByText('Confirming your payment…')).toBeVisible();

    act(() => vi.advanceTimersByTime(99));
    expect(sent).not.toHaveBeenCalled();
    act(() => vi.advanceTimersByTime(1));
    expect(sent).toHaveBeenCalledOnce();
    vi.useRealTimers();

    await waitFor(() => expect(requests).toEqual([{ sessionId: 'cs_1' }]));
  });

  // spec: screens.return.paid
  it('says that the order is confirmed and remembers the session', async () => {
    const requests = shop.answer(CompleteCheckoutDocument, completed);
    arrive();

    expect(await screen.findByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
    expect(screen.getByText('Your order has been confirmed.')).toBeVisible();
    expect(requests).toEqual([{ sessionId: 'cs_1' }]);
    expect(checkoutMemory.processedSessionId()).toBe('cs_1');
  });

  it('says what was bought, where it goes, how long that takes and until when it can be canceled', async () => {
    vi.setSystemTime('2026-11-21T12:00:00Z');
    shop.answer(CompleteCheckoutDocument, completed);
    arrive();

    const facts = await screen.findByText('M-10002');
    const words = facts.closest('dl')?.textContent?.replaceAll('\u202f', ' ');
    expect(words).toContain('3 to 5 working days, Europe');
    expect(words).toContain('Hornsgatan 48');
    expect(words).toContain('Cancel untilToday, 9:00 AM EST');
    expect(words).toContain('ada@minimal.test');
    const pieces = within(screen.getByRole('region', { name: '3 pieces' }));
    expect(pieces.getAllByText('Straight Jean')).toHaveLength(2);
    expect(pieces.getByText('Total').nextElementSibling).toHaveTextContent('$96.00');
  });

  // spec: screens.return.ways
  it('leads to the orders and on shopping', async () => {
    shop.answer(CompleteCheckoutDocument, completed);
    arrive();

    expect(await screen.findByRole('link', { name: 'View Orders' })).toHaveAttribute('href', '/account');
    expect(screen.getByRole('link', { name: 'Continue Shopping' })).toHaveAttribute('href', '/');
  });

  // spec: entities.storage.checkout, states.checkout.once
  it('does not confirm a remembered session again', async () => {
    checkoutMemory.setProcessedSessionId('cs_1');
    const requests = shop.answer(CompleteCheckoutDocument, completed);
    arrive();

    expect(screen.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(500));
    expect(requests).toEqual([]);
  });

  it('shows the order of a remembered session again', async () => {
    checkoutMemory.setProcessedSessionId('cs_1');
    const asked = shopAt('UTC', order);
    arrive();

    expect(await screen.findByText('M-10002')).toBeVisible();
    expect(asked).toEqual([{ sessionId: 'cs_1', isConfirmed: true }]);
  });

  // spec: screens.return.failed
  it('says that the payment failed without a session', () => {
    arrive('');

    expect(screen.getByRole('heading', { name: 'Payment Failed' })).toBeVisible();
    expect(screen.getByText('Please try again.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'View Orders' })).toHaveAttribute('href', '/account');
    expect(screen.getByRole('link', { name: 'Continue Shopping' })).toHaveAttribute('href', '/');
  });

  it('says that the payment failed when the session is not paid, and does not remember it', async () => {
    const message = 'This payment was not completed.';
    shop.answer(CompleteCheckoutDocument, { completeCheckout: { __typename: 'PaymentNotCompleted', message } });
    arrive();

    expect(await screen.findByRole('heading', { name: 'Payment Failed' })).toBeVisible();
    expect(checkoutMemory.processedSessionId()).toBeNull();
  });

  it.each([
    ['PaymentNotCompleted', 'Nothing was charged, and your cart is as it was.', 'Back to payment', '/payment'],
    ['PaymentRefunded', 'Sold out meanwhile.', 'Back to the cart', '/cart'],
  ] as const)('leads back after %s, and says why', async (__typename, reason, name, href) => {
    shop.answer(CompleteCheckoutDocument, { completeCheckout: { __typename, message: 'Sold out meanwhile.' } });
    arrive();

    expect(await screen.findByRole('link', { name })).toHaveAttribute('href', href);
    expect(screen.getByText(reason)).toBeVisible();
  });

  // spec: states.checkout.once
  it('puts the order on the list and empties the cart without asking for either again', async () => {
    shop.answer(CompleteCheckoutDocument, completed);
    const { client } = arrive();
    const older = { ...order, id: 'o1', number: 'M-10001' };
    const pageInfo = { __typename: 'PageInfo', hasNextPage: false, endCursor: null };
    client.writeQuery({
      query: AccountOrdersDocument,
      variables: {},
      data: {
        shop: { __typename: 'Shop', timeZone: 'UTC' },
        viewer: {
          __typename: 'Viewer',
          id: 'u1',
          orders: { __typename: 'OrderConnection', totalCount: 1, pageInfo, nodes: [older] },
        },
      } as never,
    });
    client.writeQuery({
      query: CartDocument,
      data: { viewer: { __typename: 'Viewer', id: 'u1', cart: { ...cart, count: 2 } } } as never,
    });

    await screen.findByRole('heading', { name: 'Payment Successful!' });

    await waitFor(() => {
      const orders = client.readQuery({ query: AccountOrdersDocument, variables: {} })?.viewer?.orders;
      expect(orders?.nodes.map(({ number }) => number)).toEqual(['M-10002', 'M-10001']);
      expect(orders?.totalCount).toBe(2);
    });
    expect(client.readQuery({ query: CartDocument })?.viewer?.cart.count).toBe(0);
  });
});
