import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { session } from '~/session/storage';
import { renderShop, shopServer } from '~/test/shop';
import { Layout } from './layout';

const shop = shopServer();
const EXPIRED = 'Session expired. Please sign in again.';
const DAY_MS = 86_400_000;
const ada = { id: 'u1', name: 'Ada Lindqvist', email: 'ada@minimal.test', role: 'user' as const };

const profile = (over = {}) => ({
  viewer: { __typename: 'Viewer', ...ada, role: 'USER', isPrimaryAdmin: false, adminRequest: false, ...over },
});
const emptyCart = { viewer: { __typename: 'Viewer', id: 'u1', cart: { __typename: 'Cart', id: 'k1', count: 0 } } };

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  shop.answer('CartCount', emptyCart);
  shop.answer('Profile', profile());
});

afterEach(() => {
  act(() => session.signOut());
  vi.useRealTimers();
});

const stored = () => JSON.parse(localStorage.getItem('user') ?? 'null') as Record<string, unknown> | null;

describe('a sign-in', () => {
  test('is remembered for 24 hours, with no more than the header needs', () => {
    vi.setSystemTime('2026-05-01T12:00:00Z');

    session.signIn(ada);

    expect(stored()).toEqual({ ...ada, expiresAt: Date.parse('2026-05-02T12:00:00Z') });
  });

  test('makes the expiry message possible again', () => {
    localStorage.setItem('expiredNotificationShown', 'true');

    session.signIn(ada);

    expect(localStorage.getItem('expiredNotificationShown')).toBeNull();
  });
});

describe('a session that ran out', () => {
  test('is ended when the minute comes: home, signed out, told once', async () => {
    session.signIn(ada);
    renderShop(<Layout />, '/account');
    expect(await screen.findByRole('button', { name: 'Account of Ada Lindqvist' })).toBeInTheDocument();

    vi.setSystemTime(Date.now() + DAY_MS + 1);
    await act(() => vi.advanceTimersByTimeAsync(60_000));

    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/^\/$/));
    expect(screen.getByText(EXPIRED)).toBeInTheDocument();
    expect(stored()).toBeNull();
    expect(within(screen.getByRole('banner')).getByRole('button', { name: 'Sign In' })).toBeInTheDocument();
    expect(localStorage.getItem('expiredNotificationShown')).toBe('true');
  });

  test('is not told again in a tab that comes second', async () => {
    session.signIn(ada);
    localStorage.setItem('expiredNotificationShown', 'true');
    renderShop(<Layout />, '/account');
    await screen.findByRole('button', { name: 'Account of Ada Lindqvist' });

    vi.setSystemTime(Date.now() + DAY_MS + 1);
    await act(() => vi.advanceTimersByTimeAsync(60_000));

    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/^\/$/));
    expect(screen.queryByText(EXPIRED)).toBeNull();
  });
});

describe('the server decides', () => {
  test('a session it no longer knows is ended with the same message', async () => {
    shop.answer('Profile', { viewer: null });
    session.signIn(ada);

    renderShop(<Layout />, '/account');

    expect(await screen.findByText(EXPIRED)).toBeInTheDocument();
    expect(stored()).toBeNull();
  });

  test('a new admin is told and becomes one here', async () => {
    shop.answer('Profile', profile({ role: 'ADMIN' }));
    session.signIn(ada);

    renderShop(<Layout />);

    expect(await screen.findByText('You have been granted admin access!')).toBeInTheDocument();
    expect(stored()).toMatchObject({ role: 'admin' });
    expect(screen.getByTestId('admin-icon')).toBeInTheDocument();
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
  test('offers a customer Account, Request Admin Access and Sign Out', async () => {
    shop.answer('RequestAdminAccess', {
      requestAdminAccess: { __typename: 'Viewer', id: 'u1', adminRequest: true },
    });
    session.signIn(ada);
    const { user } = renderShop(<Layout />);

    await user.click(await screen.findByRole('button', { name: 'Account of Ada Lindqvist' }));
    await user.click(await screen.findByRole('button', { name: 'Request Admin Access' }));

    expect(await screen.findByText('Admin request sent successfully')).toBeInTheDocument();
  });

  test('signs out even when the server does not hear it', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    shop.fail('SignOut', 'INTERNAL');
    session.signIn(ada);
    const { user } = renderShop(<Layout />, '/cart');

    await user.click(await screen.findByRole('button', { name: 'Account of Ada Lindqvist' }));
    await user.click(await screen.findByRole('button', { name: 'Sign Out' }));

    expect(await screen.findByText('Logged out successfully')).toBeInTheDocument();
    expect(stored()).toBeNull();
  });
});
