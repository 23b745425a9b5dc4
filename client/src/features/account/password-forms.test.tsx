import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { toastQueue } from '~/ui/toast';
import { ForgotPasswordForm } from './forgot-password-form';
import { ResetPasswordForm } from './reset-password-form';
import { ForgotPasswordDocument, ResetPasswordDocument } from './auth.generated';

const shop = shopServer();
const at = () => screen.getByTestId('address').textContent;

async function forget(email: string) {
  const { user } = renderShop(<ForgotPasswordForm />, '/forgot-password');
  if (email) await user.type(screen.getByLabelText('E-mail'), email);
  await user.click(screen.getByRole('button', { name: 'Send Reset Link' }));
}

describe('a forgotten password', () => {
  // spec: screens.forgot.fields, errors.done.forgot
  it('is answered with a link in the mail, and leads to sign-in', async () => {
    const requests = shop.answer(ForgotPasswordDocument, { forgotPassword: { __typename: 'Success' } });

    await forget('ada@minimal.test');

    await waitFor(() => expect(at()).toBe('/signin'));
    expect(toastQueue.first()?.text).toBe('Reset link sent to your email');
    expect(requests).toEqual([{ email: 'ada@minimal.test' }]);
  });

  // spec: validation.email
  it.each(['', 'ada'])('needs an e-mail, not %j', async (email) => {
    await forget(email);

    expect(await screen.findByText('Please enter a valid email')).toBeVisible();
    expect(screen.getByLabelText('E-mail')).toHaveAccessibleDescription('Please enter a valid email');
  });

  // spec: errors.forgot, errors.reset
  it.each([
    ['INTERNAL', 'Failed to send reset link, please try again'],
    ['UNAVAILABLE', 'Refused.'],
  ])('stays where it is after %s and says: %s', async (code, words) => {
    shop.fail(ForgotPasswordDocument, code);

    await forget('ada@minimal.test');

    expect(await screen.findByText(words)).toBeVisible();
    expect(toastQueue.first()?.text).toBe(words);
    expect(at()).toBe('/forgot-password');
  });
});

async function reset(password: string, confirmation: string) {
  const { user } = renderShop(<ResetPasswordForm token="t1" />, '/reset-password?token=t1');
  if (password) await user.type(screen.getByPlaceholderText('New password'), password);
  if (confirmation) await user.type(screen.getByPlaceholderText('Confirm new password'), confirmation);
  await user.click(screen.getByRole('button', { name: 'Reset Password' }));
  return user;
}

describe('a new password by the mailed link', () => {
  // spec: errors.done.reset
  it('is set, said, and leads to sign-in', async () => {
    const requests = shop.answer(ResetPasswordDocument, { resetPassword: { __typename: 'Success' } });

    await reset('NewSecret1!', 'NewSecret1!');

    await waitFor(() => expect(at()).toBe('/signin'));
    expect(toastQueue.first()?.text).toBe('Password reset successfully');
    expect(requests).toEqual([{ token: 't1', newPassword: 'NewSecret1!' }]);
  });

  // spec: screens.reset.words
  it('says Resetting... meanwhile', async () => {
    const answer = shop.hold(ResetPasswordDocument, { resetPassword: { __typename: 'Success' } });

    await reset('NewSecret1!', 'NewSecret1!');

    expect(await screen.findByRole('button', { name: 'Resetting...' })).toBeVisible();
    answer();
    await waitFor(() => expect(at()).toBe('/signin'));
  });

  // spec: validation.reset.empty, validation.reset.same
  it('names the broken rule at the field that breaks it', async () => {
    const user = await reset('', '');
    const first = screen.getByPlaceholderText('New password');
    const second = screen.getByPlaceholderText('Confirm new password');

    await waitFor(() => expect(first).toHaveAccessibleDescription('Password filed cannot be empty'));
    expect(second).toHaveAccessibleDescription('Password filed cannot be empty');
    await user.type(first, 'Secret1!');
    await user.type(second, 'Secret2!');

    await waitFor(() => expect(second).toHaveAccessibleDescription('Passwords do not match'));
    expect(first).not.toHaveAccessibleDescription();
  });

  it.each([
    ['INTERNAL', 'Failed to reset password, please try again'],
    ['UNAVAILABLE', 'Refused.'],
  ])('stays where it is after %s and says: %s', async (code, words) => {
    shop.fail(ResetPasswordDocument, code);

    await reset('NewSecret1!', 'NewSecret1!');

    expect(await screen.findByText(words)).toBeVisible();
    expect(toastQueue.first()?.text).toBe(words);
    expect(at()).toBe('/reset-password?token=t1');
  });

  // spec: errors.reset
  it('says what the server says of an old link', async () => {
    const message = 'This link has expired or was already used.';
    shop.answer(ResetPasswordDocument, { resetPassword: { __typename: 'LinkExpired', message } });

    await reset('NewSecret1!', 'NewSecret1!');

    expect(await screen.findByText(message)).toBeVisible();
  });

  // spec: screens.reset.shown
  it('can be looked at, each field by itself', async () => {
    const { user } = renderShop(<ResetPasswordForm token="t1" />);

    await user.click(screen.getByRole('button', { name: 'Show new password' }));

    expect(screen.getByPlaceholderText('New password')).toHaveAttribute('type', 'text');
    expect(screen.getByPlaceholderText('Confirm new password')).toHaveAttribute('type', 'password');
    await user.click(screen.getByRole('button', { name: 'Hide new password' }));
    expect(screen.getByPlaceholderText('New password')).toHaveAttribute('type', 'password');
  });
});
