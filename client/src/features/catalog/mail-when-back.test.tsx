import { act, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Size } from '~/graphql/catalogue';
import { session } from '~/session/storage';
import { renderShop, shopServer } from '~/test/shop';
import { MailWhenBack } from './mail-when-back';
import { NotifyWhenBackDocument } from './mail-when-back.generated';

const shop = shopServer();

const inSize = (size: Size, stock: number) => ({
  size,
  soldOut: stock === 0,
  variant: { id: `v-${size}`, size, stock, color: { id: 'c1' } },
});
const sizes = [inSize('S', 0), inSize('M', 4), inSize('L', 0)];

afterEach(() => act(() => session.signOut()));

const show = (size: Size | null = null) =>
  renderShop(<MailWhenBack sizes={sizes} size={size} piece="Straight Jean, Indigo" />);

async function open(size: Size | null = null) {
  const { user } = show(size);
  const opener = screen.getByRole('button', { name: 'Mail me when one is back' });
  await user.click(opener);
  const dialog = within(await screen.findByRole('dialog', { name: 'Mail me when one is back' }));
  return { user, opener, dialog, send: () => user.click(dialog.getByRole('button', { name: 'Mail me' })) };
}

describe('a mail for a sold-out size', () => {
  it('is not offered while every size is there', () => {
    renderShop(<MailWhenBack sizes={[inSize('M', 4)]} size="M" piece="Straight Jean, Indigo" />);

    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });

  it('is asked for one of the sold-out sizes, the chosen one first', async () => {
    const { dialog } = await open('L');

    expect(dialog.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['S', 'L']);
    expect(dialog.getByLabelText('Size')).toHaveDisplayValue('L');
  });

  it('goes to the address of whoever is signed in', async () => {
    act(() => session.signIn({ id: 'u1', name: 'Ada Lindqvist', email: 'ada@minimal.test', role: 'user' }));

    const { dialog } = await open();

    expect(dialog.getByLabelText('E-mail')).toHaveValue('ada@minimal.test');
  });

  it('is promised in words beside the sizes', async () => {
    const requests = shop.answer(NotifyWhenBackDocument, {
      notifyWhenBack: { __typename: 'StockAlert', variantId: 'v-L', email: 'bea@minimal.test' },
    });
    const { user, dialog, send } = await open('L');

    await user.type(dialog.getByLabelText('E-mail'), 'Bea@minimal.test');
    await send();

    expect(await screen.findByText('We will write to bea@minimal.test once, when L is back.')).toHaveRole('status');
    expect(requests).toEqual([{ variantId: 'v-L', email: 'Bea@minimal.test' }]);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('is not needed for a size that has come back', async () => {
    shop.answer(NotifyWhenBackDocument, {
      notifyWhenBack: { __typename: 'AlreadyInStock', message: 'In stock.', variantId: 'v-S', available: 3 },
    });
    const { user, dialog, send } = await open();

    await user.type(dialog.getByLabelText('E-mail'), 'bea@minimal.test');
    await send();

    expect(await screen.findByText('S is back already.')).toHaveRole('status');
  });

  it('says at the address that it is none, with focus there', async () => {
    const message = 'Please enter a valid email';
    const errors = [{ __typename: 'FieldError', field: 'email', message }];
    shop.answer(NotifyWhenBackDocument, { notifyWhenBack: { __typename: 'InvalidInput', message, errors } });
    const { dialog, send } = await open();

    await send();

    expect(await dialog.findByText(message)).toBeVisible();
    expect(dialog.getByLabelText('E-mail')).toHaveAccessibleDescription(message);
    expect(dialog.getByLabelText('E-mail')).toHaveFocus();
  });

  it('says when it was asked for too often', async () => {
    const message = 'Please wait a minute.';
    shop.answer(NotifyWhenBackDocument, { notifyWhenBack: { __typename: 'TooManyAttempts', message } });
    const { dialog, send } = await open();

    await send();

    expect(await dialog.findByRole('alert')).toHaveTextContent(message);
  });

  it('says that it failed when the shop fails', async () => {
    shop.fail(NotifyWhenBackDocument, 'INTERNAL');
    const { dialog, send } = await open();

    await send();

    expect(await dialog.findByRole('alert')).toHaveTextContent('That did not work. Please try again.');
  });
});
