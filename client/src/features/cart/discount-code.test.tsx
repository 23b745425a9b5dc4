import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import {
  type CartTotalsFragment,
  RemoveDiscountCodeDocument,
  ApplyDiscountCodeDocument,
} from './cart-summary.generated';
import { DiscountCode } from './discount-code';

const shop = shopServer();
const cart: CartTotalsFragment = { id: 'k1', subtotal: '98.00', canCheckOut: true, discountCode: null };
const used = { code: 'WELCOME10', discount: '9.80', problem: null };

const show = (over: Partial<CartTotalsFragment> = {}) => renderShop(<DiscountCode cart={{ ...cart, ...over }} />);

describe('the discount code of a cart', () => {
  it('is sent as it was typed', async () => {
    const requests = shop.answer(ApplyDiscountCodeDocument, {
      applyDiscountCode: { __typename: 'Cart', ...cart, discountCode: used },
    });
    const { user } = show();

    await user.type(screen.getByLabelText('Discount code'), 'welcome10');
    await user.click(screen.getByRole('button', { name: 'Apply' }));

    await expect.poll(() => requests).toEqual([{ code: 'welcome10' }]);
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('says why it is refused and keeps what was typed', async () => {
    const message = 'This code has ended.';
    shop.answer(ApplyDiscountCodeDocument, { applyDiscountCode: { __typename: 'DiscountCodeRefused', message } });
    const { user } = show();

    await user.type(screen.getByLabelText('Discount code'), 'OLD');
    await user.click(screen.getByRole('button', { name: 'Apply' }));

    expect(await screen.findByRole('alert')).toHaveTextContent(message);
    expect(screen.getByLabelText('Discount code')).toHaveValue('OLD');
  });

  it('asks nobody about nothing', async () => {
    const { user } = show();

    await user.click(screen.getByRole('button', { name: 'Apply' }));

    expect(screen.getByRole('alert')).toHaveTextContent('Please enter a code');
  });

  it('says why it does not count, and can be taken out', async () => {
    const requests = shop.answer(RemoveDiscountCodeDocument, { removeDiscountCode: { __typename: 'Cart', ...cart } });
    const problem = 'This code counts from $120.00. $22.00 to go.';
    const { user } = show({ discountCode: { ...used, discount: '0.00', problem } });

    expect(screen.getByText(problem)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Remove the code WELCOME10' }));

    await expect.poll(() => requests).toHaveLength(1);
  });
});
