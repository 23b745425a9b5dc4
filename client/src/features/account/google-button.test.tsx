import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { toastQueue } from '~/ui/toast';
import { GoogleButton } from './google-button';
import { SignInWithGoogleDocument } from './auth.generated';

const google = { credential: 'token' as string | undefined };

/** Google's script draws the real button; what it is told, and calls back, is all that matters here. */
function googleScript() {
  let settings: { client_id: string; callback: (answer: { credential?: string }) => void } | undefined;
  window.google = {
    accounts: {
      id: {
        initialize: (given) => {
          settings = given;
        },
        renderButton: (place) => {
          const button = Object.assign(document.createElement('button'), { textContent: 'Continue with Google' });
          button.addEventListener('click', () => settings?.callback({ ...google }));
          place.replaceChildren(button);
        },
      },
    },
  };
}

const script = () => document.querySelector('script[src="https://accounts.google.com/gsi/client"]');

beforeEach(googleScript);

const shop = shopServer();
const viewer = { __typename: 'Viewer', id: 'u1', name: 'Ada', email: 'ada@minimal.test', role: 'USER' } as const;

async function press({ credential = 'token' as string | undefined } = {}) {
  google.credential = credential;
  const onSignedIn = vi.fn(async () => {});
  const { user } = renderShop(<GoogleButton clientId="c1" onSignedIn={onSignedIn} onSecondFactor={vi.fn()} />);
  act(() => script()?.dispatchEvent(new Event('load')) as never);
  await user.click(await screen.findByRole('button', { name: 'Continue with Google' }));
  return onSignedIn;
}

const said = (words: string) => waitFor(() => expect(toastQueue.first()?.text).toBe(words));

describe('a Google sign-in', () => {
  // spec: states.session.begin, errors.done.google
  it('hands the token over, welcomes and leads on', async () => {
    const requests = shop.answer(SignInWithGoogleDocument, { signInWithGoogle: { __typename: 'SignedIn', viewer } });

    const onSignedIn = await press();

    await said('Welcome to Minimal');
    expect(requests).toEqual([{ token: 'token' }]);
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledWith(viewer));
  });

  // spec: errors.google
  it('says that it failed when Google says so', async () => {
    await press({ credential: '' });

    await said('Google authentication failed');
  });

  // spec: errors.google
  it('says that it failed when the shop fails', async () => {
    shop.fail(SignInWithGoogleDocument, 'INTERNAL');

    const onSignedIn = await press();

    await said('Google authentication failed');
    expect(onSignedIn).not.toHaveBeenCalled();
  });
});
