import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { Toaster } from '~/ui/toaster';
import { SignInForm } from './sign-in-form';
import { SignInDocument } from './auth.generated';

const shop = shopServer();
const viewer = {
  __typename: 'Viewer',
  id: 'u1',
  name: 'Ada Lindqvist',
  email: 'ada@minimal.test',
  role: 'USER',
} as const;

async function signIn(password = 'Secret1!') {
  const onSignedIn = vi.fn(async () => {});
  const { user } = renderShop(
    <>
      <SignInForm onSignedIn={onSignedIn} onSecondFactor={vi.fn()} />
      <Toaster />
    </>,
  );
  await user.type(screen.getByLabelText('E-mail'), 'ada@minimal.test');
  if (password) await user.type(screen.getByLabelText('Password'), password);
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  return onSignedIn;
}

describe('sign-in', () => {
  // spec: screens.signin.fields, errors.done.signin
  it('welcomes back and leads on', async () => {
    shop.answer(SignInDocument, { signIn: { __typename: 'SignedIn', viewer } });

    const onSignedIn = await signIn();

    expect(await screen.findByText('Welcome back to Minimal')).toBeVisible();
    expect(onSignedIn).toHaveBeenCalledWith(viewer);
  });

  // spec: errors.signin
  it('says what the server says, and keeps what was typed', async () => {
    const message = 'Too many attempts. Please try again in 5 minutes.';
    shop.answer(SignInDocument, { signIn: { __typename: 'TooManyAttempts', message, field: null } });

    await signIn();

    expect(await screen.findAllByText(message)).toHaveLength(2);
    expect(screen.getByLabelText('E-mail')).not.toHaveValue('');
    expect(screen.getByLabelText('Password')).not.toHaveValue('');
  });

  // spec: errors.server.words
  it('passes on that the shop cannot answer right now', async () => {
    shop.fail(SignInDocument, 'UNAVAILABLE');

    await signIn();

    expect(await screen.findAllByText('Refused.')).toHaveLength(2);
  });

  // spec: errors.signin
  it('says Invalid credentials when the server says nothing of use', async () => {
    shop.fail(SignInDocument, 'INTERNAL');

    const onSignedIn = await signIn();

    expect(await screen.findAllByText('Invalid credentials')).toHaveLength(2);
    expect(onSignedIn).not.toHaveBeenCalled();
  });

  // spec: validation.signin.password
  it('asks for the password before asking the server', async () => {
    await signIn('');

    expect(await screen.findByText('Please enter your password to signin')).toBeVisible();
  });

  // spec: validation.email
  it('puts a broken rule at its field', async () => {
    const { user } = renderShop(<SignInForm onSignedIn={async () => {}} onSecondFactor={vi.fn()} />);

    await user.click(screen.getByRole('button', { name: 'Continue' }));

    await waitFor(() =>
      expect(screen.getByLabelText('E-mail')).toHaveAccessibleDescription('Please enter a valid email'),
    );
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Please enter your password to signin');
  });
});
