import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { toastQueue } from '~/ui/toast';
import { Toaster } from '~/ui/toaster';
import { SignUpForm } from './sign-up-form';
import { SignUpDocument } from './auth.generated';

const shop = shopServer();
const viewer = {
  __typename: 'Viewer',
  id: 'u1',
  name: 'Ada Lindqvist',
  email: 'ada@minimal.test',
  role: 'USER',
} as const;

async function signUp() {
  const onSignedIn = vi.fn(async () => {});
  const { user } = renderShop(
    <>
      <SignUpForm onSignedIn={onSignedIn} />
      <Toaster />
    </>,
  );
  await user.type(screen.getByLabelText('Full name'), 'Ada Lindqvist');
  await user.type(screen.getByLabelText('E-mail'), 'ada@minimal.test');
  await user.type(screen.getByLabelText('Password'), 'Secret1!');
  await user.click(screen.getByRole('button', { name: 'Get Started' }));
  return { user, onSignedIn };
}

describe('sign-up', () => {
  // spec: validation.name, validation.password
  it('puts each broken rule at its field', async () => {
    const { user } = renderShop(<SignUpForm onSignedIn={async () => {}} />);
    await user.type(screen.getByLabelText('Full name'), 'Ada');
    await user.type(screen.getByLabelText('E-mail'), 'ada');
    await user.type(screen.getByLabelText('Password'), 'secret');

    await user.click(screen.getByRole('button', { name: 'Get Started' }));

    const name = screen.getByLabelText('Full name');
    await waitFor(() => expect(name).toHaveAccessibleDescription('Name must be at least 5 characters'));
    expect(screen.getByLabelText('E-mail')).toHaveAccessibleDescription('Please enter a valid email');
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(
      'Password must contain at least 8 characters, including uppercase, lowercase, numbers and special characters (!@#$%^&*)',
    );
  });

  // spec: screens.signup.fields, errors.done.signup
  it('welcomes the new customer and leads on', async () => {
    const requests = shop.answer(SignUpDocument, { signUp: { __typename: 'SignedIn', viewer } });

    const { onSignedIn } = await signUp();

    expect(await screen.findByText('Welcome to Minimal!')).toBeVisible();
    expect(onSignedIn).toHaveBeenCalledWith(viewer);
    expect(requests).toEqual([{ name: 'Ada Lindqvist', email: 'ada@minimal.test', password: 'Secret1!' }]);
  });

  // spec: errors.signup
  it('puts each complaint of the server on its field at once and shows them one after the other', async () => {
    const errors = [
      { __typename: 'FieldError', field: 'email', message: 'This e-mail cannot be used' },
      { __typename: 'FieldError', field: 'password', message: 'This password is too common' },
    ];
    shop.answer(SignUpDocument, {
      signUp: { __typename: 'InvalidInput', message: 'This e-mail cannot be used', field: 'email', errors },
    });

    const { user } = await signUp();

    await screen.findAllByText('This e-mail cannot be used');
    expect(screen.getByLabelText('E-mail')).toHaveAccessibleDescription('This e-mail cannot be used');
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('This password is too common');
    expect(toastQueue.first()?.text).toBe('This e-mail cannot be used');
    toastQueue.dismiss(toastQueue.first()?.id ?? 0);
    expect(toastQueue.first()?.text).toBe('This password is too common');
    await user.tab();
  });

  // spec: errors.signup
  it('says of a taken e-mail that it is taken, at the e-mail', async () => {
    const message = 'An account with this email already exists';
    shop.answer(SignUpDocument, { signUp: { __typename: 'EmailTaken', message, field: 'email' } });

    await signUp();

    await screen.findAllByText(message);
    expect(screen.getByLabelText('E-mail')).toHaveAccessibleDescription(message);
  });

  // spec: errors.signup
  it('says that it failed when the shop fails', async () => {
    shop.fail(SignUpDocument, 'INTERNAL');

    const { onSignedIn } = await signUp();

    expect(await screen.findAllByText('Signup Failed, please try again later')).toHaveLength(2);
    expect(onSignedIn).not.toHaveBeenCalled();
  });
});
