import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { session } from '~/session/storage';
import { renderShop, shopServer } from '~/test/shop';
import { toastQueue } from '~/ui/toast';
import { AccountDetails } from './account-details';
import { UpdateProfileDocument } from './profile.generated';

const shop = shopServer();
const profile = {
  id: 'u1',
  name: 'Ada Lindqvist',
  email: 'ada@minimal.test',
  emailVerified: true,
  hasPassword: true,
} as const;
const viewer = { __typename: 'Viewer', ...profile, role: 'USER' } as const;

async function edit(changes: Record<string, string>) {
  const { user } = renderShop(<AccountDetails profile={profile} />, '/account');
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  for (const [label, value] of Object.entries(changes)) {
    await user.clear(screen.getByLabelText(label));
    await user.type(screen.getByLabelText(label), value);
  }
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
}

beforeEach(() => session.signIn({ id: 'u1', name: profile.name, email: profile.email, role: 'user' }));
afterEach(() => act(() => session.signOut()));

describe('editing the profile', () => {
  // spec: states.profile.changed, errors.done.profile
  it('sends only what changed and goes back to view', async () => {
    const requests = shop.answer(UpdateProfileDocument, {
      updateProfile: { __typename: 'ProfileUpdated', signedOut: false, viewer: { ...viewer, name: 'Ada Byron' } },
    });

    await edit({ Name: 'Ada Byron' });

    expect(await screen.findByRole('button', { name: 'Edit' })).toBeVisible();
    expect(requests).toEqual([{ input: { name: 'Ada Byron' } }]);
    expect(toastQueue.first()?.text).toBe('Profile updated successfully.');
  });

  // spec: screens.account.edit
  it('says what it does while it saves', async () => {
    const answer = shop.hold(UpdateProfileDocument, {
      updateProfile: { __typename: 'ProfileUpdated', signedOut: false, viewer: { ...viewer, name: 'Ada Byron' } },
    });

    await edit({ Name: 'Ada Byron' });

    expect(await screen.findByRole('button', { name: 'Saving Changes ...' })).toBeVisible();
    answer();
    expect(await screen.findByRole('button', { name: 'Edit' })).toBeVisible();
  });

  // spec: states.profile.same
  it('just closes when nothing changed', async () => {
    await edit({ Name: 'Ada Lindqvist' });

    expect(await screen.findByRole('button', { name: 'Edit' })).toBeVisible();
    expect(toastQueue.first()).toBeUndefined();
  });

  // spec: states.profile.signin
  it('signs out after a new password and asks to sign in again', async () => {
    const requests = shop.answer(UpdateProfileDocument, {
      updateProfile: { __typename: 'ProfileUpdated', signedOut: true, viewer: null },
    });

    await edit({ 'New Password (optional)': 'Secret1!' });

    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/signin'));
    expect(requests).toEqual([{ input: { password: 'Secret1!' } }]);
    expect(session.user()).toBeNull();
    toastQueue.dismiss(toastQueue.first()?.id ?? 0);
    expect(toastQueue.first()?.text).toBe('Please signin again.');
  });

  it('puts a refusal at its field and stays in edit mode', async () => {
    const message = 'An account with this email already exists';
    shop.answer(UpdateProfileDocument, { updateProfile: { __typename: 'EmailTaken', message, field: 'email' } });

    await edit({ 'E-mail': 'bea@minimal.test' });

    expect(await screen.findByText(message)).toBeVisible();
    expect(screen.getByLabelText('E-mail')).toHaveAccessibleDescription(message);
  });

  // spec: errors.profile
  it('says that it failed when the shop fails', async () => {
    shop.fail(UpdateProfileDocument, 'INTERNAL');

    await edit({ Name: 'Ada Byron' });

    expect(await screen.findByText('Error updating profile')).toBeVisible();
  });
});
