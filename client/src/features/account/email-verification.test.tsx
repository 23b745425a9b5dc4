import { act, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { session } from '~/session/storage';
import { renderShop, shopServer } from '~/test/shop';
import { EmailVerification } from './email-verification';
import { DenyEmailDocument, SendEmailVerificationDocument, VerifyEmailDocument } from './auth.generated';

const shop = shopServer();
afterEach(() => act(() => session.signOut()));
const required = { __typename: 'ProofRequired', message: 'Please enter the password.', hasPassword: true } as const;

function open() {
  return renderShop(<EmailVerification token="t1" />, '/verify-email?token=t1');
}

describe('a confirmation link', () => {
  it('counts at once where the account is known', async () => {
    const requests = shop.answer(VerifyEmailDocument, { verifyEmail: { __typename: 'Success' } });

    open();

    expect(await screen.findByText(/Your e-mail is verified./)).toBeVisible();
    expect(requests).toEqual([{ token: 't1', password: null }]);
  });

  it('asks for the password elsewhere, and says when it is wrong', async () => {
    shop.answer(VerifyEmailDocument, { verifyEmail: required });
    const { user } = open();
    await user.type(await screen.findByLabelText('Password'), 'Wrong&Guess1');
    shop.answer(VerifyEmailDocument, {
      verifyEmail: { __typename: 'InvalidCredentials', message: 'Invalid credentials' },
    });
    await user.click(screen.getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('Invalid credentials')).toBeVisible();

    const requests = shop.answer(VerifyEmailDocument, { verifyEmail: { __typename: 'Success' } });
    await user.click(screen.getByRole('button', { name: 'Confirm' }));

    expect(await screen.findByText(/Your e-mail is verified./)).toBeVisible();
    expect(requests).toEqual([{ token: 't1', password: 'Wrong&Guess1' }]);
  });

  it('leads an account without a password to sign-in', async () => {
    shop.answer(VerifyEmailDocument, { verifyEmail: { ...required, hasPassword: false } });

    open();

    expect(await screen.findByRole('link', { name: 'Sign in' })).toBeVisible();
    expect(screen.queryByLabelText('Password')).not.toBeInTheDocument();
  });

  it('that is too old leads a visitor to the sign-in, and mails whoever is signed in a new one', async () => {
    const message = 'This link has expired or was already used.';
    shop.answer(VerifyEmailDocument, { verifyEmail: { __typename: 'LinkExpired', message } });
    const { user } = open();
    expect(await screen.findByText(message)).toBeVisible();
    expect(screen.getByRole('link', { name: /Sign in/ })).toHaveAttribute('href', '/signin?redirect=/account');

    act(() => session.signIn({ id: 'u1', name: 'Ada', email: 'ada@minimal.test', role: 'user' }));
    const requests = shop.answer(SendEmailVerificationDocument, { sendEmailVerification: { __typename: 'Success' } });
    await user.click(screen.getByRole('button', { name: 'Mail me a new link' }));

    expect(await screen.findByText('A new link is on its way to you.')).toBeVisible();
    expect(requests).toHaveLength(1);
  });

  it('can be answered with: that was not me', async () => {
    shop.answer(VerifyEmailDocument, { verifyEmail: required });
    const requests = shop.answer(DenyEmailDocument, { denyEmail: { __typename: 'Success' } });
    const { user } = open();

    await user.click(await screen.findByRole('button', { name: 'That was not me' }));

    expect(await screen.findByText(/No account uses your address any more./)).toBeVisible();
    expect(requests).toEqual([{ token: 't1' }]);
  });

  it('says why it does not count', async () => {
    shop.answer(VerifyEmailDocument, { verifyEmail: { __typename: 'LinkExpired', message: 'Too old.' } });

    open();

    expect(await screen.findByRole('alert')).toHaveTextContent('Too old.');
  });
});
