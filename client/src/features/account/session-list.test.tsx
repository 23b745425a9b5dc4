import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { RevokeOtherSessionsDocument, type SessionListFragment } from './profile.generated';
import { SessionList } from './session-list';

const shop = shopServer();

const session = (id: string, isCurrent = false): SessionListFragment['sessions'][number] => ({
  id,
  isCurrent,
  userAgent: 'Test browser',
  createdAt: '2026-11-20T09:00:00Z',
  lastSeenAt: '2026-11-20T10:00:00Z',
  method: 'PASSWORD',
  secondFactor: null,
});

it('offers to sign out everywhere else where there is another browser', async () => {
  const sent = shop.answer(RevokeOtherSessionsDocument, {
    revokeOtherSessions: { id: 'v', sessions: [session('a', true)] },
  });
  const { user } = renderShop(<SessionList id="v" sessions={[session('a', true), session('b'), session('c')]} />);

  await user.click(screen.getByRole('button', { name: 'Sign out everywhere else' }));

  await expect.poll(() => sent).toHaveLength(1);
});

it('offers nothing where this is the only browser', () => {
  renderShop(<SessionList id="v" sessions={[session('a', true)]} />);

  expect(screen.queryByRole('button')).toBeNull();
});
