import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { toastQueue } from '~/ui/toast';
import { SignInWays } from './sign-in-ways';
import { UnlinkGoogleDocument } from './profile.generated';

const shop = shopServer();

function show(googleLinked: boolean, googleClientId = 'client') {
  return renderShop(
    <SignInWays id="1" hasPassword googleLinked={googleLinked} googleClientId={googleClientId} />,
    '/account',
  );
}

describe('the ways to sign in', () => {
  it('say what signs in', () => {
    show(false, '');

    expect(screen.getByText('Set')).toBeVisible();
    expect(screen.getByText('Not linked')).toBeVisible();
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });

  it('end the link to Google', async () => {
    shop.answer(UnlinkGoogleDocument, {
      unlinkGoogle: {
        __typename: 'ProvidersChanged',
        viewer: { __typename: 'Viewer', id: '1', hasPassword: true, googleLinked: false },
      },
    });
    const { user } = show(true);

    await user.click(screen.getByRole('button', { name: 'Unlink Google' }));

    await waitFor(() => expect(toastQueue.first()?.text).toBe('Google no longer signs in to your account'));
  });

  it('say why the last one stays', async () => {
    shop.answer(UnlinkGoogleDocument, {
      unlinkGoogle: { __typename: 'LastCredential', message: 'Set a password first.' },
    });
    const { user } = show(true);

    await user.click(screen.getByRole('button', { name: 'Unlink Google' }));

    await waitFor(() => expect(toastQueue.first()?.text).toBe('Set a password first.'));
  });
});
