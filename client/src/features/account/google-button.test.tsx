import type { GoogleLoginProps } from '@react-oauth/google';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { toastQueue } from '~/ui/toast';
import { GoogleButton } from './google-button';

const google = vi.hoisted(() => ({ credential: 'token' as string | undefined, fails: false }));

// Google's script draws the real button; what it calls back is all that matters here.
vi.mock('@react-oauth/google', () => ({
  GoogleOAuthProvider: ({ children }: { children: unknown }) => children,
  GoogleLogin: ({ onSuccess, onError }: GoogleLoginProps) => (
    <button
      type="button"
      onClick={() =>
        google.fails ? onError?.() : onSuccess({ ...(google.credential && { credential: google.credential }) })
      }
    >
      Continue with Google
    </button>
  ),
}));

const shop = shopServer();
const viewer = { __typename: 'Viewer', id: 'u1', name: 'Ada', email: 'ada@minimal.test', role: 'USER' };

async function press({ credential = 'token' as string | undefined, fails = false } = {}) {
  Object.assign(google, { credential, fails });
  const onSignedIn = vi.fn(async () => {});
  const { user } = renderShop(<GoogleButton clientId="c1" onSignedIn={onSignedIn} onSecondFactor={vi.fn()} />);
  await user.click(screen.getByRole('button', { name: 'Continue with Google' }));
  return onSignedIn;
}

const said = (words: string) => waitFor(() => expect(toastQueue.first()?.text).toBe(words));

describe('a Google sign-in', () => {
  it('hands the token over, welcomes and leads on', async () => {
    const asked = shop.answer('SignInWithGoogle', { signInWithGoogle: { __typename: 'SignedIn', viewer } });

    const onSignedIn = await press();

    await said('Welcome to Minimal');
    expect(asked).toEqual([{ token: 'token' }]);
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledWith(viewer));
  });

  it('says that it failed when Google says so', async () => {
    await press({ fails: true });

    await said('Google authentication failed');
  });

  it('says that it failed when the shop fails', async () => {
    shop.fail('SignInWithGoogle', 'INTERNAL');

    const onSignedIn = await press();

    await said('Google authentication failed');
    expect(onSignedIn).not.toHaveBeenCalled();
  });
});
