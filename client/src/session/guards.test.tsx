import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { BrowserRouter, Route, Routes, StaticRouter, useLocation, useNavigate } from 'react-router';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SignedInOnly, VisitorsOnly } from './guards';
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

function Visited() {
  const { pathname, search } = useLocation();
  return <output>{pathname + search}</output>;
}

function open(path: string) {
  window.history.replaceState(null, '', path);
  render(
    <BrowserRouter>
      <Routes>
        <Route path="/" element={<p>Home</p>} />
        <Route
          path="/signin"
          element={
            <>
              <p>Sign In</p>
              <Visited />
            </>
          }
        />
        <Route
          path="/account/orders/:orderId"
          element={
            <SignedInOnly comesBack>
              <p>Order</p>
            </SignedInOnly>
          }
        />
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

  it.each([
    ['/account/orders/o1', '/signin?redirect=%2Faccount%2Forders%2Fo1'],
    ['/account?redirect=/account', '/signin?redirect=%2Faccount'],
    ['/account?redirect=checkout', '/signin'],
    ['/account', '/signin'],
  ])('that a mail links to, %s, is named to the sign-in: %s', async (linked, target) => {
    open(linked);

    expect(await screen.findByText(target)).toBeVisible();
  });

  it('is named to the sign-in as well when its session ended while it was loading', async () => {
    session.signIn(ada);
    localStorage.setItem('expiredNotificationShown', 'true');
    window.dispatchEvent(new StorageEvent('storage', { key: 'user', newValue: null }));
    open('/account/orders/o1');

    expect(await screen.findByText('/signin?redirect=%2Faccount%2Forders%2Fo1')).toBeVisible();
    cleanup();
    open('/account');
    expect(await screen.findByText('/signin')).toBeVisible();
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

describe('a screen for visitors', () => {
  const screens = (
    <Routes>
      <Route path="/" element={<p>Home</p>} />
      <Route
        path="/signin"
        element={
          <VisitorsOnly>
            <p>Sign In</p>
          </VisitorsOnly>
        }
      />
    </Routes>
  );

  // spec: screens.paths.visitors
  it('that the server rendered leads a signed-in user home once it is hydrated', async () => {
    window.history.replaceState(null, '', '/signin');
    const root = document.body.appendChild(document.createElement('div'));
    root.innerHTML = renderToString(<StaticRouter location="/signin">{screens}</StaticRouter>);
    expect(root).toHaveTextContent('Sign In');
    session.signIn(ada);
    const broken: unknown[] = [];

    const hydrated = hydrateRoot(root, <BrowserRouter>{screens}</BrowserRouter>, {
      onRecoverableError: (error) => broken.push(error),
    });

    await waitFor(() => expect(root).toHaveTextContent('Home'));
    expect(broken).toEqual([]);
    act(() => hydrated.unmount());
    root.remove();
  });
});
