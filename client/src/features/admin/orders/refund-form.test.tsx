import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { line, order } from './fixtures';
import {
  type AdminReturnPartsFragment,
  RefundOrderDocument,
  RefundQuoteDocument,
  RefundReturnDocument,
} from './order.generated';
import { RefundForm } from './refund-form';
import { RefundReturnForm } from './return-forms';

const shop = shopServer();

async function choose(pieces: number, toggles = 0) {
  shop.answer(RefundQuoteDocument, {
    admin: { __typename: 'Admin', order: { __typename: 'AdminOrder', id: 'o1', refundQuote: '10.00' } },
  });
  const requests = shop.answer(RefundOrderDocument, { refundOrder: { __typename: 'OrderConflict', message: 'No.' } });
  const { user } = renderShop(<RefundForm order={order} onClose={() => undefined} />);
  const stepper = within(screen.getByRole('group', { name: 'Pieces of Oxford Shirt, Blue, M to refund' }));
  for (let more = 0; more < pieces; more += 1) await user.click(stepper.getByRole('button', { name: 'One more' }));
  const shelf = screen.getByRole('checkbox', { name: /back on the shelf/ });
  for (let presses = 0; presses < toggles; presses += 1) await user.click(shelf);
  return { user, requests, shelf };
}

describe('refunded pieces', () => {
  it.each([
    ['not sent', 2, 0, true, null],
    ['not sent, kept off the shelf', 2, 1, false, false],
    ['not sent, after all on the shelf', 2, 2, true, true],
    ['in part sent', 3, 0, false, null],
    ['in part sent, all on the shelf', 3, 1, true, true],
  ])(
    'go on the shelf when that is said, or else those not sent do: %s',
    async (_, pieces, toggles, checked, restock) => {
      const { user, requests, shelf } = await choose(pieces, toggles);

      await user.click(await screen.findByRole('button', { name: 'Refund' }));

      expect(await screen.findByText('No.')).toBeVisible();
      expect(shelf).toHaveProperty('checked', checked);
      expect(requests[0]).toMatchObject({ input: { lines: [{ lineId: 'l1', quantity: pieces, restock }] } });
    },
  );
});

const returned: AdminReturnPartsFragment = {
  id: 'r1',
  status: 'RECEIVED',
  reason: '',
  answer: '',
  labelUrl: null,
  createdAt: '2026-11-18T14:30:00Z',
  pieces: [{ lineId: 'l1', quantity: 1, received: 1, restocked: 1 }],
};
const refused = { __typename: 'OrderConflict', message: 'No.' } as const;
const close = () => undefined;

describe.each([
  { of: 'an order', form: <RefundForm order={order} onClose={close} /> },
  { of: 'a return', form: <RefundReturnForm order={order} returned={returned} onClose={close} /> },
])('another amount for $of', ({ form }) => {
  const quoted = { admin: { __typename: 'Admin', order: { __typename: 'AdminOrder', id: 'o1', refundQuote: '0.00' } } };

  it.each(['$', '.', '1.234', '19,9000'])('"%s" is told to be none, and the form goes on', async (typed) => {
    shop.answer(RefundQuoteDocument, quoted);
    const sent = [
      shop.answer(RefundOrderDocument, { refundOrder: refused }),
      shop.answer(RefundReturnDocument, { refundReturn: refused }),
    ];
    const { user } = renderShop(form);
    const amount = screen.getByLabelText('Another amount (optional)');

    await user.type(amount, typed);
    await user.click(screen.getByRole('button', { name: 'Refund' }));

    expect(amount).toHaveAccessibleDescription(expect.stringContaining('Enter an amount such as 19.90'));
    expect(sent.flat()).toEqual([]);
  });

  it.each([
    ['.5', '$0.50'],
    ['19,90', '$19.90'],
  ])('"%s" is %s', async (typed, money) => {
    shop.answer(RefundQuoteDocument, quoted);
    const { user } = renderShop(form);

    await user.type(screen.getByLabelText('Another amount (optional)'), typed);

    expect(screen.getByText(`${money} goes back to the card.`, { exact: false })).toBeVisible();
  });
});

describe('where nothing is to be paid', () => {
  const nothing = {
    admin: { __typename: 'Admin', order: { __typename: 'AdminOrder', id: 'o1', refundQuote: '0.00' } },
  };

  it('pieces that have not been sent are called off', async () => {
    shop.answer(RefundQuoteDocument, nothing);
    const requests = shop.answer(RefundOrderDocument, { refundOrder: refused });
    const { user } = renderShop(<RefundForm order={order} onClose={close} />);

    await user.click(screen.getByRole('button', { name: 'One more' }));
    expect(await screen.findByText(/^No money goes back\. Pieces that have not been sent will not be\./)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Refund' }));

    expect(await screen.findByText('No.')).toBeVisible();
    expect(requests[0]).toMatchObject({ input: { lines: [{ lineId: 'l1', quantity: 1 }], amount: null } });
  });

  it('pieces that have been sent cannot be chosen alone', async () => {
    shop.answer(RefundQuoteDocument, nothing);
    const sent = { ...order, lines: [{ ...line, shipped: 3, toShip: 0 }] };
    const { user } = renderShop(<RefundForm order={sent} onClose={close} />);

    await user.click(screen.getByRole('button', { name: 'One more' }));

    expect(await screen.findByText(/^There is nothing to pay back for this\./)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Refund' })).toBeDisabled();
  });

  it('a return is closed', async () => {
    shop.answer(RefundQuoteDocument, nothing);
    const requests = shop.answer(RefundReturnDocument, { refundReturn: refused });
    const { user } = renderShop(<RefundReturnForm order={order} returned={returned} onClose={close} />);

    await user.click(await screen.findByRole('button', { name: 'Close the return' }));

    expect(await screen.findByText('No.')).toBeVisible();
    expect(requests[0]).toMatchObject({ id: 'r1', input: { amount: null } });
  });
});
