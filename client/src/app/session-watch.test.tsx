import { act, screen, waitFor, within } from '@testing-library/react';
import { lazy } from 'react';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SignedInOnly } from '~/session/guards';
import { SEEN_CACHES } from '~/service-worker/caches';
import { session } from '~/session/storage';
import { type Answer, renderShop, shopServer } from '~/test/shop';
import { KEPT, type Key } from '~/ui/stored';
import { toastQueue } from '~/ui/toast';
import { Layout } from './layout';
import SessionWatch from './session-watch';
import { ProfileDocument, type ProfileQuery } from '~/session/session.generated';
import { RequestAdminAccessDocument, SignOutDocument } from '~/features/account/account-actions.generated';
import { CartCountDocument } from '~/features/cart/cart-count.generated';

const shop = shopServer();
const EXPIRED = 'Session expired. Please sign in again.';
const DAY_MS = 86_400_000;
const ada = { id: 'u1', name: 'Ada Lindqvist', email: 'ada@minimal.test', role: 'user' } as const;

const profile = (over = {}): Answer<ProfileQuery> => ({
  viewer: { __typename: 'Viewer', ...ada, role: 'USER', isPrimaryAdmin: false, adminRequest: false, ...over },
});
const emptyCart = {
  viewer: { __typename: 'Viewer', id: 'u1', cart: { __typename: 'Cart', id: 'k1', count: 0 } },
} as const;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  shop.answer(CartCountDocument, emptyCart);
  shop.answer(ProfileDocument, profile());
  shop.answer(SignOutDocument, { signOut: { __typename: 'Success', ok: true } });
});

afterEach(() => {
  act(() => session.signOut());
  vi.useRealTimers();
});

/** The layout around a screen that needs a session. */
const guarded = (
  <Routes>
    <Route element={<Layout />}>
      <Route
        path="/account"
        element={
          <SignedInOnly>
            <p>My account</p>
          </SignedInOnly>
        }
      />
      <Route path="/" element="At home" />
    </Route>
  </Routes>
);

/** The session runs out in another tab. */
function endElsewhere() {
  localStorage.setItem('expiredNotificationShown', 'true');
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'user', newValue: null }));
  });
}

const stored = () => JSON.parse(localStorage.getItem('user') ?? 'null') as Record<string, unknown> | null;

describe('a sign-in', () => {
  // spec: entities.storage, states.session.begin, constants.session.length
  test('is remembered for 24 hours, with no more than the header needs', () => {
    vi.setSystemTime('2026-05-01T12:00:00Z');

    session.signIn(ada);

    expect(stored()).toEqual({ ...ada, expiresAt: Date.parse('2026-05-02T12:00:00Z') });
  });

  // spec: states.session.begin
  test('makes the expiry message possible again', () => {
    localStorage.setItem('expiredNotificationShown', 'true');

    session.signIn(ada);

    expect(localStorage.getItem('expiredNotificationShown')).toBeNull();
  });
});

describe('a session that ran out', () => {
  // spec: states.session.expiry.minute, constants.session.check
  test('is ended when the minute comes: home, signed out, told once', async () => {
    const watched = shop.answer(ProfileDocument, profile());
    session.signIn(ada);
    renderShop(<Layout />, '/account');
    expect(await screen.findByRole('button', { name: 'Account of Ada Lindqvist' })).toBeInTheDocument();
    await waitFor(() => expect(watched).toHaveLength(1));

    vi.setSystemTime(Date.now() + DAY_MS + 1);
    await act(() => vi.advanceTimersByTimeAsync(60_000));

    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/^\/$/));
    expect(await screen.findByText(EXPIRED)).toBeInTheDocument();
    expect(stored()).toBeNull();
    expect(within(screen.getByRole('banner')).getByRole('button', { name: 'Sign In' })).toBeInTheDocument();
    expect(localStorage.getItem('expiredNotificationShown')).toBe('true');
  });

  // spec: states.session.expiry.once
  test('is not told again in a tab that comes second', async () => {
    session.signIn(ada);
    localStorage.setItem('expiredNotificationShown', 'true');
    renderShop(guarded, '/account');
    await screen.findByRole('button', { name: 'Account of Ada Lindqvist' });

    vi.setSystemTime(Date.now() + DAY_MS + 1);
    await act(() => vi.advanceTimersByTimeAsync(60_000));

    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/^\/$/));
    expect(screen.queryByText(EXPIRED)).toBeNull();
  });

  // spec: states.session.expiry.minute
  test('is ended on load when it ran out while the shop was closed', async () => {
    vi.setSystemTime('2026-05-01T12:00:00Z');
    session.signIn(ada);
    vi.setSystemTime('2026-05-02T12:00:01Z');

    renderShop(guarded, '/account');

    expect(await screen.findByText(EXPIRED)).toBeInTheDocument();
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/^\/$/));
  });

  test.each(['/reset-password', '/verify-email', '/product/p1', '/'])(
    'leaves %s as it was opened, and says so there',
    async (path) => {
      vi.setSystemTime('2026-05-01T12:00:00Z');
      session.signIn(ada);
      vi.setSystemTime('2026-05-02T12:00:01Z');

      renderShop(<Layout />, `${path}?token=t`);

      expect(await screen.findByText(EXPIRED)).toBeInTheDocument();
      expect(stored()).toBeNull();
      expect(screen.getByTestId('address')).toHaveTextContent(`${path}?token=t`);
    },
  );

  test.each([
    ['/product/p1', '/'],
    ['/reset-password', '/reset-password'],
  ])('that runs out while %s is open leads to %s', async (path, to) => {
    const watched = shop.answer(ProfileDocument, profile());
    session.signIn(ada);
    renderShop(<Layout />, path);
    await screen.findByRole('button', { name: 'Account of Ada Lindqvist' });
    await waitFor(() => expect(watched).toHaveLength(1));

    vi.setSystemTime(Date.now() + DAY_MS + 1);
    await act(() => vi.advanceTimersByTimeAsync(60_000));

    expect(await screen.findByText(EXPIRED)).toBeInTheDocument();
    expect(screen.getByTestId('address').textContent).toBe(to);
  });

  test('is not ended before the screen is there, which is hydrated with what the session knew', async () => {
    const requests = shop.answer(ProfileDocument, profile());
    let arrive: ((code: { default: () => string }) => void) | undefined;
    const Later = lazy(() => new Promise<{ default: () => string }>((resolve) => (arrive = resolve)));
    session.signIn(ada);
    vi.setSystemTime(Date.now() + DAY_MS + 1);
    renderShop(
      <Routes>
        <Route element={<Layout />}>
          <Route
            path="/account"
            element={
              <SignedInOnly>
                <Later />
              </SignedInOnly>
            }
          />
          <Route path="/" element="At home" />
        </Route>
      </Routes>,
      '/account',
    );
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    await waitFor(() => expect(requests).toHaveLength(1));
    expect([screen.getByTestId('address').textContent, stored()?.['id']]).toEqual(['/account', 'u1']);

    await act(async () => arrive?.({ default: () => 'Account' }));

    expect(await screen.findByText('At home')).toBeInTheDocument();
    expect(await screen.findByText(EXPIRED)).toBeInTheDocument();
    expect(stored()).toBeNull();
  });

  // spec: constants.session.length
  test('lasts to its last millisecond', () => {
    vi.setSystemTime('2026-05-01T12:00:00Z');
    session.signIn(ada);

    expect(session.isOver(Date.parse('2026-05-02T12:00:00.000Z'))).toBe(false);
    expect(session.isOver(Date.parse('2026-05-02T12:00:00.001Z'))).toBe(true);
  });

  // spec: states.session.expiry.server
  test('is told although the server noticed its end before anything listened', async () => {
    session.signIn(ada);
    session.expire();

    renderShop(<SessionWatch screenShown={Promise.resolve()} />, '/account');

    await waitFor(() => expect(toastQueue.first()?.text).toBe(EXPIRED));
  });

  // spec: states.session.expiry.menu
  test('closes the open menu', async () => {
    session.signIn(ada);
    const { user } = renderShop(<Layout />);
    await user.click(await screen.findByRole('button', { name: 'Account of Ada Lindqvist' }));
    await screen.findByRole('button', { name: 'Sign Out' });

    await act(async () => session.expire());

    expect(screen.queryByRole('link', { name: 'Wishlist' })).toBeNull();
    const header = within(screen.getByRole('banner'));
    expect(header.getByRole('button', { name: 'Sign In' })).toHaveAttribute('aria-expanded', 'false');
  });

  test('is ended at the server as well', async () => {
    const requests = shop.answer(SignOutDocument, { signOut: { __typename: 'Success', ok: true } });
    session.signIn(ada);
    renderShop(<Layout />);
    await screen.findByRole('button', { name: 'Account of Ada Lindqvist' });

    vi.setSystemTime(Date.now() + DAY_MS + 1);
    await act(() => vi.advanceTimersByTimeAsync(60_000));

    await waitFor(() => expect(requests).toEqual([{}]));
  });

  // spec: states.session.expiry.once
  test('leads a second tab home too, without a word', async () => {
    session.signIn(ada);
    renderShop(guarded, '/account');
    await screen.findByRole('button', { name: 'Account of Ada Lindqvist' });
    endElsewhere();

    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/^\/$/));
    expect(screen.queryByText(EXPIRED)).toBeNull();
  });

  test.each([
    ['/product/p1', '/'],
    ['/reset-password', '/reset-password'],
  ])('leads a second tab at %s to %s', async (path, to) => {
    const watched = shop.answer(ProfileDocument, profile());
    session.signIn(ada);
    renderShop(<Layout />, path);
    await screen.findByRole('button', { name: 'Account of Ada Lindqvist' });
    await waitFor(() => expect(watched).toHaveLength(1));

    endElsewhere();

    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe(to));
  });
});

test.each(['Sign Out', 'the end of the session'])('%s drops the pages that were seen', async (end) => {
  const dropped = vi.fn().mockResolvedValue(true);
  vi.stubGlobal('caches', { delete: dropped });
  const watched = shop.answer(ProfileDocument, profile());
  session.signIn(ada);
  const { user } = renderShop(<Layout />);
  await user.click(await screen.findByRole('button', { name: 'Account of Ada Lindqvist' }));
  await waitFor(() => expect(watched).toHaveLength(1));

  if (end === 'Sign Out') await user.click(await screen.findByRole('button', { name: 'Sign Out' }));
  else await act(async () => session.expire());

  await waitFor(() => expect(dropped.mock.calls.flat().toSorted()).toEqual(Object.values(SEEN_CACHES).toSorted()));
  vi.unstubAllGlobals();
});

test.each(['Sign Out', 'the end of the session', 'Sign Out in another tab'])(
  '%s drops the account’s data',
  async (end) => {
    const watched = shop.answer(ProfileDocument, profile());
    session.signIn(ada);
    const { client, user } = renderShop(<Layout />);
    await user.click(await screen.findByRole('button', { name: 'Account of Ada Lindqvist' }));
    await waitFor(() => expect(watched).toHaveLength(1));
    await waitFor(() => expect(JSON.stringify(client.extract())).toContain(ada.email));

    if (end === 'Sign Out') await user.click(await screen.findByRole('button', { name: 'Sign Out' }));
    else if (end === 'the end of the session') await act(async () => session.expire());
    else act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'user', newValue: null })));

    await waitFor(() => expect(JSON.stringify(client.extract())).not.toContain(ada.email));
  },
);

describe('the server decides', () => {
  // spec: states.session.expiry.server
  test('a session it no longer knows is ended with the same message', async () => {
    shop.answer(ProfileDocument, { viewer: null });
    session.signIn(ada);

    renderShop(<Layout />, '/account');

    expect(await screen.findByText(EXPIRED)).toBeInTheDocument();
    expect(stored()).toBeNull();
  });

  // spec: states.role.granted
  test('a new admin is told and becomes one here', async () => {
    shop.answer(ProfileDocument, profile({ role: 'ADMIN' }));
    session.signIn(ada);

    renderShop(<Layout />);

    expect(await screen.findByText('You have been granted admin access!')).toBeInTheDocument();
    expect(stored()).toMatchObject({ role: 'admin' });
    expect(screen.getByTestId('admin-icon')).toBeInTheDocument();
  });

  // spec: errors.logged.profile
  test('a profile that does not load is only logged', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    shop.fail(ProfileDocument, 'INTERNAL');
    session.signIn(ada);

    renderShop(<Layout />);

    await waitFor(() => expect(logged).toHaveBeenCalledWith('The profile did not load.', expect.anything()));
    expect(toastQueue.first()).toBeUndefined();
    expect(stored()).toMatchObject({ id: 'u1' });
  });

  // spec: screens.header.cart, errors.logged.cart
  test('a cart that does not load is only logged, and counted as empty', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    shop.fail(CartCountDocument, 'INTERNAL');
    session.signIn(ada);

    renderShop(<Layout />);

    await waitFor(() => expect(logged).toHaveBeenCalledWith('The cart did not load.', expect.anything()));
    expect(toastQueue.first()).toBeUndefined();
    expect(screen.getByRole('link', { name: /^Cart/ })).toHaveTextContent('Cart0 items');
  });

  test('a sign-out in another tab is followed', async () => {
    session.signIn(ada);
    renderShop(<Layout />);
    await screen.findByRole('button', { name: 'Account of Ada Lindqvist' });

    act(() => {
      window.dispatchEvent(new StorageEvent('storage', { key: 'user', newValue: null }));
    });

    expect(screen.getByRole('button', { name: 'Sign In' })).toBeInTheDocument();
  });
});

describe('the account menu', () => {
  // spec: screens.header.account.customer, errors.done.request
  test('offers a customer Account, Request Admin Access and Sign Out', async () => {
    shop.answer(RequestAdminAccessDocument, {
      requestAdminAccess: { __typename: 'Viewer', id: 'u1', adminRequest: true },
    });
    session.signIn(ada);
    const { user } = renderShop(<Layout />);

    await user.click(await screen.findByRole('button', { name: 'Account of Ada Lindqvist' }));
    await user.click(await screen.findByRole('button', { name: 'Request Admin Access' }));

    expect(await screen.findByText('Admin request sent successfully')).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Dashboard' })).toBeNull();
  });

  // spec: errors.admin.request
  test.each([
    ['INTERNAL', 'Failed to send admin request'],
    ['UNAVAILABLE', 'Refused.'],
  ])('when the request fails with %s, says: %s', async (code, words) => {
    shop.fail(RequestAdminAccessDocument, code);
    session.signIn(ada);
    const { user } = renderShop(<Layout />);

    await user.click(await screen.findByRole('button', { name: 'Account of Ada Lindqvist' }));
    await user.click(await screen.findByRole('button', { name: 'Request Admin Access' }));

    expect(await screen.findByText(words)).toBeInTheDocument();
  });

  // spec: screens.header.account.admin
  test('offers an admin the Dashboard instead', async () => {
    shop.answer(ProfileDocument, profile({ role: 'ADMIN' }));
    session.signIn({ ...ada, role: 'admin' });
    const { user } = renderShop(<Layout />);

    await user.click(await screen.findByRole('button', { name: 'Account of Ada Lindqvist' }));

    expect(await screen.findByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/admin');
    expect(screen.getByTestId('admin-icon')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Request Admin Access' })).toBeNull();
  });

  // spec: screens.header.account.visitor
  test('offers a visitor Sign In', async () => {
    const { user } = renderShop(<Layout />);

    await user.click(screen.getByRole('button', { name: 'Sign In' }));

    expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/signin');
  });

  // spec: screens.header.account.customer, states.session.signout, errors.logged.signout, errors.done.signout
  test('signs out even when the server does not hear it', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    shop.fail(SignOutDocument, 'INTERNAL');
    session.signIn(ada);
    const { user } = renderShop(<Layout />, '/cart');

    await user.click(await screen.findByRole('button', { name: 'Account of Ada Lindqvist' }));
    await user.click(await screen.findByRole('button', { name: 'Sign Out' }));

    expect(await screen.findByText('Logged out successfully')).toBeInTheDocument();
    expect(stored()).toBeNull();
  });

  test('leaves nothing of the person in the browser at Sign Out', async () => {
    session.signIn(ada);
    for (const [key, { in: place }] of Object.entries(KEPT)) {
      if (key !== 'user') (place === 'tab' ? sessionStorage : localStorage).setItem(key, 'x');
    }
    const { user } = renderShop(<Layout />, '/cart');

    await user.click(await screen.findByRole('button', { name: 'Account of Ada Lindqvist' }));
    await user.click(await screen.findByRole('button', { name: 'Sign Out' }));
    await screen.findByText('Logged out successfully');

    const left = [...Object.keys(localStorage), ...Object.keys(sessionStorage)];
    expect(left.filter((key) => KEPT[key as Key].of === 'person')).toEqual([]);
    expect(left).toContain('minimal:theme');
  });
});
