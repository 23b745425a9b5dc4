import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { CancelForm } from './cancel-form';
import { order } from './fixtures';

shopServer();

it.each([
  ['not disputed', null, 'Its pieces go back on the shelf, $30.00 to the card.'],
  ['disputed', true, 'The bank decides about the $30.00.'],
  ['lost to the bank', false, 'The bank has taken the $30.00 back'],
])('says where the money of an order goes that is %s', (_, isOpen, words) => {
  const dispute = {
    id: 'du_1',
    amount: '30.00',
    reason: 'fraudulent',
    status: 'needs_response',
    blocksRefunds: true,
    answerBy: null,
    createdAt: '2026-11-18T14:30:00Z',
  };

  renderShop(
    <CancelForm
      order={{ ...order, disputes: isOpen === null ? [] : [{ ...dispute, isOpen }] }}
      onClose={() => undefined}
    />,
  );

  expect(screen.getByText(words, { exact: false })).toBeVisible();
  expect(screen.queryByText('to the card. ', { exact: false }) === null).toBe(isOpen !== null);
});
