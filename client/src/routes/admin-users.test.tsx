import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { refetchAll } from '~/features/admin/use-admin-events';
import { renderShop, shopServer } from '~/test/shop';
import UsersTab from './admin-users';
import { AdminRequestsDocument, AdminUsersDocument } from './admin-users.generated';
import { ToggleAdminDocument } from '~/features/admin/people/user.generated';

const shop = shopServer();
const ada = {
  __typename: 'User',
  id: 'u2',
  name: 'Ada Lindqvist',
  email: 'ada@minimal.test',
  role: 'USER',
  isPrimaryAdmin: false,
  emailVerified: true,
  adminRequest: true,
  orderCount: 2,
} as const;
const owner = {
  __typename: 'Viewer',
  id: 'u1',
  email: 'owner@minimal.test',
  role: 'ADMIN',
  isPrimaryAdmin: true,
  secondFactorMissing: false,
} as const;
const requests = (adminRequests: (typeof ada)[]) => ({ admin: { __typename: 'Admin', adminRequests } });
const noUsers = {
  __typename: 'UserConnection',
  totalCount: 0,
  pageInfo: { __typename: 'PageInfo', hasNextPage: false, endCursor: null },
  nodes: [],
} as const;

it('shows a request that came while older ones were still being fetched', async () => {
  shop.answer(AdminUsersDocument, { admin: { __typename: 'Admin', users: noUsers } });
  const answerThose = shop.hold(AdminRequestsDocument, requests([]));
  renderShop(<UsersTab viewer={owner} />);
  await screen.findByText('Nobody matches.');

  const sent = shop.answer(AdminRequestsDocument, requests([ada]));
  act(refetchAll);
  await waitFor(() => expect(sent).toHaveLength(1));
  answerThose();

  expect(await screen.findByRole('button', { name: 'Approve Ada Lindqvist' })).toBeVisible();
});

it('makes nobody an admin at one press', async () => {
  shop.answer(AdminUsersDocument, { admin: { __typename: 'Admin', users: noUsers } });
  shop.answer(AdminRequestsDocument, requests([ada]));
  const toggled = shop.answer(ToggleAdminDocument, {
    toggleAdmin: { __typename: 'RoleChanged', user: { ...ada, role: 'ADMIN', adminRequest: false } },
  });
  const { user } = renderShop(<UsersTab viewer={owner} />);

  await user.click(await screen.findByRole('button', { name: 'Approve Ada Lindqvist' }));
  const question = screen.getByRole('dialog', { name: 'Make Ada Lindqvist an admin?' });
  expect(toggled).toEqual([]);
  await user.click(within(question).getByRole('button', { name: 'Make Admin' }));

  await waitFor(() => expect(toggled).toEqual([{ id: 'u2', acceptUnconfirmed: false }]));
});
