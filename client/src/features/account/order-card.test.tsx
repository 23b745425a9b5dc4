import { useFragment } from '@apollo/client/react';
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { toastQueue } from '~/ui/toast';
import { OrderCard } from './order-card';
import {
  CancelOrderDocument,
  type OrderCardFragment,
  OrderCardFragmentDoc,
  RequestReturnDocument,
} from './order.generated';
import { returnableLines } from './returnable';

const shop = shopServer();

const line = {
  __typename: 'OrderLine' as const,
  id: 'l1',
  name: 'Oxford Shirt',
  color: 'Blue',
  size: 'L',
  quantity: 2,
  shipped: 2,
  price: '89.00',
  total: '178.00',
  productId: 'p1',
  image: null,
} as const;
const jean = {
  ...line,
  id: 'l2',
  name: 'Straight Jean',
  quantity: 1,
  shipped: 1,
  price: '96.00',
  total: '96.00',
} as const;
const placed = {
  __typename: 'OrderEvent' as const,
  at: '2026-11-17T14:30:00Z',
  kind: 'PLACED' as const,
  amount: null,
} as const;
const paid = { ...placed, at: '2026-11-17T14:31:00Z', kind: 'PAID' as const, amount: '274.00' } as const;

const order: OrderCardFragment & { __typename: 'Order' } = {
  __typename: 'Order',
  id: 'o1',
  number: 'M-10482',
  createdAt: '2026-11-17T14:30:00Z',
  paymentStatus: 'PAID',
  fulfilment: 'SHIPPED',
  subtotal: '274.00',
  discountCode: null,
  discount: '0.00',
  delivery: { name: '', price: '0.00', minDays: null, maxDays: null },
  tax: null,
  totalAmount: '274.00',
  refundedAmount: '0.00',
  isCanceled: false,
  isDisputed: false,
  canCancel: true,
  cancelableUntil: '2026-11-17T16:31:00Z',
  returnableUntil: '2026-12-17T14:31:00Z',
  invoiceUrl: '/orders/o1/invoice.pdf',
  timeline: [placed, paid],
  shipments: [],
  returns: [],
  lines: [line, jean],
  shippingAddress: {
    name: 'Ada Lindqvist',
    lines: ['Ada Lindqvist', 'Hornsgatan 48', 'SE-118 21 Stockholm', 'Sweden'],
    phone: '+46 70 123 45 67',
  },
};
const canceled = {
  ...order,
  shippingAddress: { __typename: 'OrderAddress', ...order.shippingAddress },
  paymentStatus: 'REFUNDED',
  refundedAmount: '274.00',
  isCanceled: true,
  canCancel: false,
  cancelableUntil: null,
  returnableUntil: null,
  timeline: [placed, paid, { ...placed, at: '2026-11-17T15:00:00Z', kind: 'CANCELED' }],
} as const;
const withReturn = (quantity: number) => ({
  ...order,
  __typename: 'Order' as const,
  shippingAddress: { __typename: 'OrderAddress', ...order.shippingAddress },
  returns: [
    {
      __typename: 'Return',
      id: 'r1',
      status: 'REQUESTED' as const,
      answer: '',
      labelUrl: null,
      lines: [{ __typename: 'ReturnLine', quantity, line: { __typename: 'OrderLine', id: 'l1' } }],
    },
  ],
});

/** The order as the client's cache has it, so that an answer changes what is seen. */
function Stored({ order: given }: { order: OrderCardFragment }) {
  const { data, complete } = useFragment({
    fragment: OrderCardFragmentDoc,
    fragmentName: 'OrderCard',
    from: { __typename: 'Order', id: given.id },
  });
  return <OrderCard order={complete ? data : given} timeZone="America/New_York" />;
}

const show = (over: Partial<OrderCardFragment> = {}) => renderShop(<Stored order={{ ...order, ...over }} />);
const press = (name: string) => screen.getByRole('button', { name });

describe('an order', () => {
  // spec: screens.account.orders, states.order.status
  it('shows number, date, status, lines, total and address', () => {
    show();

    const card = within(screen.getByRole('article', { name: 'Order M-10482' }));
    expect(card.getByText('Order').nextElementSibling).toHaveTextContent('M-10482');
    expect(card.getByText('Date').nextElementSibling).toHaveTextContent('Nov 17, 2026');
    expect(card.getAllByText('Total')[0]?.nextElementSibling).toHaveTextContent('$274.00');
    expect(card.getByText('Payment').nextElementSibling).toHaveTextContent('Paid');
    expect(card.getByText('Oxford Shirt').closest('li')).toHaveTextContent(
      'Oxford ShirtBlue, L. Quantity 2 × $89.00$178.00',
    );
    expect(card.getByText('Straight Jean').closest('li')).toHaveTextContent('Straight JeanBlue, L. Quantity 1$96.00');
    expect(card.getByRole('group')).toHaveTextContent(
      'Ada LindqvistHornsgatan 48SE-118 21 StockholmSweden+46 70 123 45 67',
    );
  });

  it("says its days and times by the shop's clock", () => {
    show({
      createdAt: '2026-11-18T02:30:00Z',
      timeline: [{ ...placed, at: '2026-11-18T02:30:00Z' }],
      canCancel: true,
      cancelableUntil: '2026-11-18T04:31:00Z',
    });

    const times = screen.getAllByText(/Nov 17/).map(({ textContent }) => textContent);
    expect(times).toEqual(['Nov 17, 2026', 'Nov 17, 9:30 PM', 'Nov 17, 11:31 PM EST']);
  });

  // spec: screens.account.orders.nameless
  it('a line that lacks its name and picture says so', () => {
    show({ lines: [{ ...line, name: null }] });

    expect(screen.getByText('Product Name Unavailable')).toBeVisible();
    expect(screen.getByTestId('placeholder')).toBeVisible();
  });
});

describe('a return that was answered', () => {
  const answered = { __typename: 'Return' as const, id: 'r1', lines: [] };

  it('shows the words of the shop and the label to print', () => {
    show({ returns: [{ ...answered, status: 'ACCEPTED', answer: 'Thank you.', labelUrl: 'https://labels.test/1' }] });

    const answers = screen.getByRole('list', { name: 'Answers to your returns' });
    expect(answers).toHaveTextContent('Your return is accepted. Thank you. Print the label');
    expect(screen.getByRole('link', { name: 'Print the label' })).toHaveAttribute('href', 'https://labels.test/1');
  });

  it('gives its pieces free again when it is refused, but not those that were never sent', () => {
    const back = {
      __typename: 'ReturnLine' as const,
      quantity: 2,
      line: { __typename: 'OrderLine' as const, id: 'l1' },
    };
    const refused = { ...answered, status: 'REFUSED' as const, answer: 'Worn.', labelUrl: null, lines: [back] };

    expect(returnableLines({ ...order, returns: [refused] }).map(({ left }) => left)).toEqual([2, 1]);
    expect(
      returnableLines({ ...order, lines: [{ ...line, shipped: 1 }], returns: [] }).map(({ left }) => left),
    ).toEqual([1]);
  });
});

describe('the timeline of an order', () => {
  it('tells what happened, oldest first, with its times', () => {
    const { container } = show();

    const events = within(screen.getByRole('list', { name: 'What happened' })).getAllByRole('listitem');

    expect(events.map(({ firstChild }) => firstChild?.textContent)).toEqual(['Placed', 'Paid']);
    expect([...container.querySelectorAll('ol time')].map((time) => time.getAttribute('datetime'))).toEqual([
      '2026-11-17T14:30:00Z',
      '2026-11-17T14:31:00Z',
    ]);
  });

  it.each([
    ['delivered', { fulfilment: 'DELIVERED' }, true],
    ['canceled', { isCanceled: true, fulfilment: 'CANCELED' }, true],
    ['on its way', { fulfilment: 'SHIPPED' }, false],
  ] as const)('runs to its end only when nothing more is expected: %s', (_, over, ended) => {
    show(over);

    const { className } = screen.getByRole('list', { name: 'What happened' });
    expect(className.includes('ended')).toBe(ended);
  });

  it('says how much was paid back', () => {
    show({ timeline: [{ ...placed, kind: 'REFUNDED', amount: '89.00' }] });

    expect(screen.getByText('Refunded $89.00')).toBeVisible();
  });
});

describe('canceling an order', () => {
  it('is offered only while the server allows it', () => {
    show({ canCancel: false });

    expect(screen.queryByRole('button', { name: 'Cancel order' })).not.toBeInTheDocument();
  });

  it('says what happens and asks first', async () => {
    const requests = shop.answer(CancelOrderDocument, { cancelOrder: canceled });
    const { user } = show();

    await user.click(press('Cancel order'));
    const dialog = screen.getByRole('dialog', { name: 'Cancel order M-10482' });
    expect(dialog).toHaveTextContent('$274.00 goes back to the card in full, and the pieces back on the shelf');
    await user.click(press('Keep order'));

    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(requests).toEqual([]);
  });

  it('promises no money that the bank decides about', async () => {
    const { user } = show({ isDisputed: true });

    await user.click(press('Cancel order'));

    const dialog = screen.getByRole('dialog', { name: 'Cancel order M-10482' });
    expect(dialog).toHaveTextContent('so the bank decides whether that goes back to you');
    expect(dialog).not.toHaveTextContent('in full');
  });

  it('says of a canceled order that the bank decides about its money', () => {
    show({ isCanceled: true, isDisputed: true });

    expect(screen.getByText('Your bank decides whether the money goes back to you.')).toBeVisible();
    expect(screen.queryByText('All of the money', { exact: false })).not.toBeInTheDocument();
  });

  it('shows the canceled order, keeps focus at it and offers no more canceling or returning', async () => {
    const requests = shop.answer(CancelOrderDocument, { cancelOrder: canceled });
    const { user } = show();

    await user.click(press('Cancel order'));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel order' }));

    expect(await screen.findByText('Canceled')).toBeVisible();
    expect(requests).toEqual([{ id: 'o1' }]);
    expect(toastQueue.first()?.text).toBe('Order M-10482 is canceled');
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
    expect(screen.getByRole('article', { name: 'Order M-10482' })).toHaveFocus();
  });

  it('keeps the order and says why when it is refused', async () => {
    const message = 'The time to cancel this order is over. You can still ask for a return.';
    shop.answer(CancelOrderDocument, { cancelOrder: { __typename: 'OrderNotCancelable', message } });
    const { user } = show();

    await user.click(press('Cancel order'));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel order' }));

    expect(await within(screen.getByRole('dialog')).findByRole('alert')).toHaveTextContent(message);
    expect(screen.queryByText('Canceled')).not.toBeInTheDocument();
  });

  it('says that it failed when the shop fails', async () => {
    shop.fail(CancelOrderDocument, 'INTERNAL');
    const { user } = show();

    await user.click(press('Cancel order'));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel order' }));

    expect(await screen.findByText('The order could not be canceled. Please try again.')).toBeVisible();
  });
});

async function ask(pieces: number) {
  const { user } = show();
  await user.click(press('Ask for a return'));
  const dialog = within(screen.getByRole('dialog', { name: 'Ask for a return' }));
  const shirts = within(dialog.getByRole('group', { name: 'Pieces of Oxford Shirt (Blue, L) to return' }));
  for (let more = 0; more < pieces; more += 1) await user.click(shirts.getByRole('button', { name: 'One more' }));
  return { user, dialog, shirts };
}

describe('asking for a return', () => {
  it('sends the pieces and the reason, and says at the line what was asked for', async () => {
    const requests = shop.answer(RequestReturnDocument, { requestReturn: withReturn(2) });
    const { user, dialog, shirts } = await ask(2);
    expect(shirts.getByRole('button', { name: 'One more' })).toBeDisabled();

    await user.type(dialog.getByLabelText('Reason (optional)'), 'Too wide');
    await user.click(dialog.getByRole('button', { name: 'Ask for a return' }));

    expect(await screen.findByText('Return asked for: 2')).toBeVisible();
    expect(requests).toEqual([{ orderId: 'o1', lines: [{ lineId: 'l1', quantity: 2 }], reason: 'Too wide' }]);
    expect(toastQueue.first()?.text).toBe('Return asked for. We answer by mail.');
    await user.click(press('Ask for a return'));
    expect(screen.queryByRole('group', { name: 'Pieces of Oxford Shirt (Blue, L) to return' })).not.toBeInTheDocument();
    expect(screen.getByRole('group', { name: 'Pieces of Straight Jean (Blue, L) to return' })).toBeVisible();
  });

  it('needs a piece', async () => {
    const requests = shop.answer(RequestReturnDocument, { requestReturn: withReturn(1) });
    const { user, dialog } = await ask(0);

    await user.click(dialog.getByRole('button', { name: 'Ask for a return' }));

    expect(dialog.getByRole('alert')).toHaveTextContent('Choose what you want to return');
    expect(requests).toEqual([]);
  });

  it('puts a refusal at what it is about', async () => {
    const message = 'At most 1,000 characters';
    const errors = [{ __typename: 'FieldError', field: 'reason', message }];
    shop.answer(RequestReturnDocument, {
      requestReturn: { __typename: 'InvalidInput', message, field: 'reason', errors },
    });
    const { user, dialog } = await ask(1);

    await user.click(dialog.getByRole('button', { name: 'Ask for a return' }));

    expect(await dialog.findByText(message)).toBeVisible();
    expect(dialog.getByLabelText('Reason (optional)')).toHaveAccessibleDescription(message);
  });

  it('says why nothing can be returned', async () => {
    const message = 'The time to return this order is over.';
    shop.answer(RequestReturnDocument, { requestReturn: { __typename: 'NotReturnable', message, field: null } });
    const { user, dialog } = await ask(1);

    await user.click(dialog.getByRole('button', { name: 'Ask for a return' }));

    expect(await dialog.findByText(message)).toBeVisible();
  });

  it('is not offered when there is no time for it', () => {
    show({ returnableUntil: null });

    expect(screen.queryByRole('button', { name: 'Ask for a return' })).not.toBeInTheDocument();
  });
});

describe('the invoice', () => {
  it('is a link while there is one', () => {
    show();

    expect(screen.getByRole('link', { name: 'Invoice (PDF)' })).toHaveAttribute('href', '/orders/o1/invoice.pdf');
  });

  it('is not there for an order that was never paid', () => {
    show({ invoiceUrl: null });

    expect(screen.queryByRole('link', { name: 'Invoice (PDF)' })).not.toBeInTheDocument();
  });
});

describe('an order on its way', () => {
  const shipment = {
    __typename: 'Shipment' as const,
    id: 's1',
    carrier: 'PostNord',
    trackingNumber: 'PN 1234',
    trackingUrl: 'https://tracking.test/PN1234',
  };

  it('says so, and leads to the carrier', () => {
    const shipped = { ...paid, at: '2026-11-18T09:00:00Z', kind: 'SHIPPED' as const, amount: null };
    renderShop(
      <OrderCard order={{ ...order, timeline: [placed, paid, shipped], shipments: [shipment] }} timeZone="UTC" />,
    );

    expect(screen.getByText('On its way')).toBeInTheDocument();
    expect(screen.getByRole('list', { name: 'Parcels' })).toHaveTextContent('PostNord, PN 1234');
    expect(screen.getByRole('link', { name: 'PN 1234' })).toHaveAttribute('href', 'https://tracking.test/PN1234');
  });

  it('names a parcel that cannot be followed all the same', () => {
    renderShop(
      <OrderCard
        order={{ ...order, shipments: [{ ...shipment, trackingNumber: null, trackingUrl: null }] }}
        timeZone="UTC"
      />,
    );

    expect(screen.getByRole('list', { name: 'Parcels' })).toHaveTextContent(/^PostNord$/);
  });
});
