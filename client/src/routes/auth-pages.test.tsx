import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { session } from '~/session/storage';
import { renderShop, shopServer } from '~/test/shop';
import ResetPasswordRoute from './reset-password';
import SignInRoute from './signin';
import SignUpRoute from './signup';
import VerifyEmailRoute from './verify-email';
import {
  CheckPasswordResetDocument,
  ForgotPasswordDocument,
  ResetPasswordDocument,
  VerifyEmailDocument,
} from '~/features/account/auth.generated';
import { AuthPageDocument } from './auth-page.generated';

const shop = shopServer();

beforeEach(() => {
  shop.answer(AuthPageDocument, {
    shop: { __typename: 'Shop', googleClientId: '' },
    products: { __typename: 'ProductConnection', nodes: [] },
  });
  shop.answer(CheckPasswordResetDocument, { checkPasswordReset: { __typename: 'Success' } });
});
afterEach(() => act(() => session.signOut()));

// spec: screens.signin.fields
test('sign-in asks for e-mail and password and leads to the other ways in', async () => {
  const { user } = renderShop(<SignInRoute />, '/signin');

  expect(screen.getByRole('heading', { name: 'Sign In' })).toBeVisible();
  expect(screen.getByLabelText('E-mail')).toHaveAttribute('type', 'email');
  expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
  expect(screen.getByRole('button', { name: 'Continue' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Forgot password?' })).toHaveAttribute('href', '/forgot-password');
  expect(screen.getByRole('link', { name: 'Sign up' })).toHaveAttribute('href', '/signup');
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'text');
});

// spec: screens.signup.fields
test('sign-up asks for a name, an e-mail and a password', () => {
  renderShop(<SignUpRoute />, '/signup');

  expect(screen.getByRole('heading', { name: 'Sign Up' })).toBeVisible();
  expect(screen.getByLabelText('Full name')).toBeVisible();
  expect(screen.getByLabelText('E-mail')).toBeVisible();
  expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
  expect(screen.getByRole('button', { name: 'Get Started' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/signin');
});

// spec: screens.reset.words
test('a mailed link opens a form for a new password', () => {
  renderShop(<ResetPasswordRoute />, '/reset-password?token=t1');

  expect(screen.getByRole('heading', { name: 'Reset Your Password' })).toBeVisible();
  expect(screen.getByText('Enter your new password')).toBeVisible();
  expect(screen.getByPlaceholderText('New password')).toBeVisible();
  expect(screen.getByPlaceholderText('Confirm new password')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Reset Password' })).toBeVisible();
});

test('an old link says so before anything is typed, and mails a new one', async () => {
  const message = 'This link has expired or was already used.';
  const checked = shop.answer(CheckPasswordResetDocument, {
    checkPasswordReset: { __typename: 'LinkExpired', message },
  });
  const asked = shop.answer(ForgotPasswordDocument, { forgotPassword: { __typename: 'Success' } });
  const { user } = renderShop(<ResetPasswordRoute />, '/reset-password?token=t1');

  expect(await screen.findByText(message)).toBeVisible();
  expect(screen.queryByPlaceholderText('New password')).not.toBeInTheDocument();
  await user.type(screen.getByLabelText('E-mail'), 'ada@minimal.test');
  await user.click(screen.getByRole('button', { name: 'Send Reset Link' }));

  await waitFor(() => expect(asked).toEqual([{ email: 'ada@minimal.test' }]));
  expect(checked).toEqual([{ token: 't1' }]);
});

test('the form stays where the link could not be checked', async () => {
  shop.fail(CheckPasswordResetDocument, 'INTERNAL');
  renderShop(<ResetPasswordRoute />, '/reset-password?token=t1');

  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/reset-password'));
  expect(screen.getByPlaceholderText('New password')).toBeVisible();
});

test.each([
  ['/reset-password', <ResetPasswordRoute key="" />],
  ['/verify-email', <VerifyEmailRoute key="" />],
])('the token of a mailed link to %s leaves the address and is still handed over', async (path, route) => {
  const verified = shop.answer(VerifyEmailDocument, { verifyEmail: { __typename: 'Success' } });
  const reset = shop.answer(ResetPasswordDocument, { resetPassword: { __typename: 'Success' } });
  const { user } = renderShop(route, `${path}?token=t1`);

  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe(path));
  if (path === '/reset-password') {
    await user.type(screen.getByPlaceholderText('New password'), 'Linen?Shirt42');
    await user.type(screen.getByPlaceholderText('Confirm new password'), 'Linen?Shirt42');
    await user.click(screen.getByRole('button', { name: 'Reset Password' }));
  }

  await waitFor(() => expect([...verified, ...reset]).toEqual([expect.objectContaining({ token: 't1' })]));
});
