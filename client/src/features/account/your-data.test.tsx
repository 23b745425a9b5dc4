import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { session } from '~/session/storage';
import { renderShop, shopServer } from '~/test/shop';
import { toastQueue } from '~/ui/toast';
import { YourData } from './your-data';
import { DeleteAccountDocument } from './profile.generated';

const shop = shopServer();

async function open(hasPassword = true) {
  const { user } = renderShop(<YourData id="u1" hasPassword={hasPassword} dataUrl="/account/data" />, '/account');
  await user.click(screen.getByRole('button', { name: 'Delete account' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Delete account' }));
  return { user, dialog, confirm: () => user.click(dialog.getByRole('button', { name: 'Delete account' })) };
}

beforeEach(() => session.signIn({ id: 'u1', name: 'Ada Lindqvist', email: 'ada@minimal.test', role: 'user' }));
afterEach(() => act(() => session.signOut()));

it('can be downloaded where the server says', () => {
  renderShop(<YourData id="u1" hasPassword dataUrl="/account/data" />);

  expect(screen.getByRole('link', { name: 'Download my data' })).toHaveAttribute('href', '/account/data');
});

describe('deleting the account', () => {
  it('says what is lost and what stays', async () => {
    await open();

    expect(screen.getByRole('dialog')).toHaveTextContent('Your name, addresses, cart, wishlist');
    expect(screen.getByRole('dialog')).toHaveTextContent('What you ordered stays in our books');
  });

  it('sends the password, signs out and leads home with a message', async () => {
    const requests = shop.answer(DeleteAccountDocument, { deleteAccount: { __typename: 'Success' } });
    const { user, dialog, confirm } = await open();

    await user.type(dialog.getByLabelText('Password'), 'Secret1!');
    await confirm();

    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/^\/$/));
    expect(requests).toEqual([{ password: 'Secret1!' }]);
    expect(session.user()).toBeNull();
    expect(toastQueue.first()?.text).toBe('Your account is deleted');
  });

  it('needs the password', async () => {
    const requests = shop.answer(DeleteAccountDocument, { deleteAccount: { __typename: 'Success' } });
    const { dialog, confirm } = await open();

    await confirm();

    const message = 'Please enter your password to delete the account';
    expect(await dialog.findByText(message)).toBeVisible();
    expect(dialog.getByLabelText('Password')).toHaveAccessibleDescription(message);
    expect(requests).toEqual([]);
  });

  it('asks for no password where there is none', async () => {
    const requests = shop.answer(DeleteAccountDocument, { deleteAccount: { __typename: 'Success' } });
    const { dialog, confirm } = await open(false);
    expect(dialog.queryByLabelText('Password')).not.toBeInTheDocument();

    await confirm();

    await waitFor(() => expect(requests).toEqual([{}]));
    await waitFor(() => expect(session.user()).toBeNull());
  });

  it('puts a wrong password at its field, with focus there, and stays signed in', async () => {
    const message = 'Invalid credentials';
    shop.answer(DeleteAccountDocument, {
      deleteAccount: { __typename: 'InvalidCredentials', message, field: 'password' },
    });
    const { user, dialog, confirm } = await open();

    await user.type(dialog.getByLabelText('Password'), 'Wrong1!');
    await confirm();

    expect(await dialog.findByText(message)).toBeVisible();
    expect(dialog.getByLabelText('Password')).toHaveAccessibleDescription(message);
    expect(dialog.getByLabelText('Password')).toHaveFocus();
    expect(session.user()?.id).toBe('u1');
  });

  it.each([
    ['PaymentUnderway', 'A payment of yours is still on its way. Delete your account once it has arrived.'],
    ['PrimaryAdminStays', "The primary admin's account cannot be deleted."],
    ['TooManyAttempts', 'Please wait a minute.'],
  ] as const)('says why not: %s', async (__typename, message) => {
    shop.answer(DeleteAccountDocument, { deleteAccount: { __typename, message, field: null } });
    const { user, dialog, confirm } = await open();

    await user.type(dialog.getByLabelText('Password'), 'Secret1!');
    await confirm();

    expect(await dialog.findByRole('alert')).toHaveTextContent(message);
    expect(session.user()?.id).toBe('u1');
  });

  it('says that it failed when the shop fails', async () => {
    shop.fail(DeleteAccountDocument, 'INTERNAL');
    const { user, dialog, confirm } = await open();

    await user.type(dialog.getByLabelText('Password'), 'Secret1!');
    await confirm();

    expect(await dialog.findByText('Your account could not be deleted. Please try again.')).toBeVisible();
  });
});
