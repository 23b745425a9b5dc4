import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { BrowserRouter, Route, Routes, useNavigate } from 'react-router';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SignedInOnly } from './guards';
import { session } from './storage';

const ada = { id: 'u1', name: 'Ada', email: 'ada@minimal.test', role: 'user' as const };

function Leave() {
  const navigate = useNavigate();
  function leave() {
    session.signOut();
    void navigate('/');
  }
  return (
    <button type="button" onClick={leave}>
      Sign Out
    </button>
  );
}

function open(path: string) {
  window.history.replaceState(null, '', path);
  render(
    <BrowserRouter>
      <Routes>
        <Route path="/" element={<p>Home</p>} />
        <Route path="/signin" element={<p>Sign In</p>} />
        <Route
          path="/account"
          element={
            <SignedInOnly>
              <p>Account</p>
              <Leave />
            </SignedInOnly>
          }
        />
      </Routes>
    </BrowserRouter>,
  );
}

beforeEach(() => act(() => session.signOut()));
afterEach(() => act(() => session.signOut()));

describe('a screen for signed-in users', () => {
  // spec: screens.paths.private
  it('leads a visitor to sign-in', async () => {
    open('/account');

    expect(await screen.findByText('Sign In')).toBeVisible();
    expect(window.location.pathname).toBe('/signin');
  });

  it('leads home, once, when the session ended in another tab while this one was loading', async () => {
    session.signIn(ada);
    localStorage.setItem('expiredNotificationShown', 'true');
    window.dispatchEvent(new StorageEvent('storage', { key: 'user', newValue: null }));
    open('/account');
    await screen.findByText('Home');
    cleanup();

    open('/account');

    expect(await screen.findByText('Sign In')).toBeVisible();
  });

  it('is shown to a signed-in user', () => {
    session.signIn(ada);

    open('/account');

    expect(screen.getByText('Account')).toBeVisible();
  });

  it('does not stand in the way of whoever ends the session and leads elsewhere', async () => {
    session.signIn(ada);
    open('/account');

    act(() => screen.getByRole('button', { name: 'Sign Out' }).click());

    await waitFor(() => expect(screen.getByText('Home')).toBeVisible());
    expect(window.location.pathname).toBe('/');
  });

  it('leads to sign-in when the session ends in another tab', async () => {
    session.signIn(ada);
    open('/account');

    act(() => session.signOut());

    expect(await screen.findByText('Sign In')).toBeVisible();
  });
});
