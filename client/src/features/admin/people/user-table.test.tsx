import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { toastQueue } from '~/ui/toast';
import { AdminRequests } from './admin-requests';
import {
  type AdminUserFragment,
  DeleteUserDocument,
  RejectAdminRequestDocument,
  ToggleAdminDocument,
} from './user.generated';
import { UserTable } from './user-table';

const shop = shopServer();
const ada: AdminUserFragment = {
  id: 'u2',
  name: 'Ada Lindqvist',
  email: 'ada@minimal.test',
  role: 'USER',
  isPrimaryAdmin: false,
  emailVerified: true,
  adminRequest: true,
  orderCount: 2,
};
const owner: AdminUserFragment = { ...ada, id: 'u1', name: 'Olive Owner', role: 'ADMIN', isPrimaryAdmin: true };
async function makeAdmin(user: ReturnType<typeof renderShop>['user']) {
  await user.click(screen.getByRole('button', { name: 'Make Admin: Ada Lindqvist' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Make Admin' }));
}
const changed = (over: Partial<AdminUserFragment>) => ({ user: { __typename: 'User', ...ada, ...over } });

describe('the users', () => {
  // spec: screens.admin.users
  it('show the primary admin as such, whom nobody can change', () => {
    renderShop(<UserTable users={[owner]} allowed noteId="note" />);

    expect(screen.getByText('Primary Admin')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Remove Admin: Olive Owner' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Delete Olive Owner' })).toBeDisabled();
  });

  // spec: errors.done.admin.role
  it.each([
    ['ADMIN', 'User made admin'],
    ['USER', 'User removed from admin'],
  ] as const)('say after a change to %s: %s', async (role, words) => {
    const requests = shop.answer(ToggleAdminDocument, {
      toggleAdmin: { __typename: 'RoleChanged', ...changed({ role }) },
    });
    const { user } = renderShop(<UserTable users={[ada]} allowed noteId="note" />);

    await makeAdmin(user);

    await waitFor(() => expect(toastQueue.first()?.text).toBe(words));
    expect(requests).toEqual([{ id: 'u2', acceptUnconfirmed: false }]);
  });

  it('are asked about before they become admins', async () => {
    const requests = shop.answer(ToggleAdminDocument, {
      toggleAdmin: { __typename: 'RoleChanged', ...changed({ role: 'ADMIN' }) },
    });
    const { user } = renderShop(<UserTable users={[ada]} allowed noteId="note" />);

    await user.click(screen.getByRole('button', { name: 'Make Admin: Ada Lindqvist' }));
    const dialog = screen.getByRole('dialog', { name: 'Make Ada Lindqvist an admin?' });
    expect(dialog).toHaveTextContent('ada@minimal.test sees every customer and order from now on');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));

    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(requests).toEqual([]);
  });

  // spec: errors.admin.role
  it('say what the server says when it refuses, and the usual words when it fails', async () => {
    shop.fail(ToggleAdminDocument, 'FORBIDDEN');
    const { user } = renderShop(<UserTable users={[ada]} allowed noteId="note" />);
    await makeAdmin(user);
    await waitFor(() => expect(toastQueue.first()?.text).toBe('Refused.'));
    toastQueue.clear();

    shop.fail(ToggleAdminDocument, 'INTERNAL');
    await makeAdmin(user);

    await waitFor(() => expect(toastQueue.first()?.text).toBe('Error updating admin status'));
  });

  // spec: errors.admin.delete
  it('say that it failed when a deletion fails', async () => {
    shop.fail(DeleteUserDocument, 'INTERNAL');
    const { user } = renderShop(<UserTable users={[ada]} allowed noteId="note" />);

    await user.click(screen.getByRole('button', { name: 'Delete Ada Lindqvist' }));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }));

    await waitFor(() => expect(toastQueue.first()?.text).toBe('Error deleting user'));
  });

  // spec: roles.primary
  it('cannot be changed by any other admin', () => {
    renderShop(<UserTable users={[ada]} allowed={false} noteId="note" />);

    expect(screen.getByRole('button', { name: 'Make Admin: Ada Lindqvist' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Delete Ada Lindqvist' })).toBeDisabled();
  });
});

describe('the pending requests', () => {
  // spec: screens.admin.requests
  it('list only those who wait and are no admin yet', () => {
    const served = { ...ada, id: 'u3', name: 'Bea', role: 'ADMIN' as const };
    const silent = { ...ada, id: 'u4', name: 'Cleo', adminRequest: false };

    renderShop(<AdminRequests requests={[ada, served, silent]} allowed noteId="note" />);

    expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['Ada Lindqvist']);
  });

  it('say whose e-mail is not confirmed', () => {
    const bea = { ...ada, id: 'u3', name: 'Bea', email: 'bea@minimal.test', emailVerified: false };

    renderShop(<AdminRequests requests={[ada, bea]} allowed noteId="note" />);

    expect(screen.getByRole('cell', { name: /bea@minimal.test/ })).toHaveTextContent('e-mail not confirmed');
    expect(screen.getByRole('cell', { name: /ada@minimal.test/ })).not.toHaveTextContent('not confirmed');
  });

  it('are approved once more where the server doubts the e-mail', async () => {
    const requests = shop.answer(ToggleAdminDocument, {
      toggleAdmin: { __typename: 'EmailNotConfirmed', message: 'Nobody has confirmed it.' },
    });
    const { user } = renderShop(<AdminRequests requests={[{ ...ada, emailVerified: false }]} allowed noteId="note" />);
    await user.click(screen.getByRole('button', { name: 'Approve Ada Lindqvist' }));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Make Admin' }));
    const again = await screen.findByRole('dialog', { name: /The e-mail of Ada Lindqvist is not confirmed/ });
    expect(again).toHaveTextContent('Nobody has confirmed it.');
    expect(toastQueue.first()).toBeUndefined();

    shop.answer(ToggleAdminDocument, { toggleAdmin: { __typename: 'RoleChanged', ...changed({ role: 'ADMIN' }) } });
    await user.click(within(again).getByRole('button', { name: 'Make Admin' }));

    await waitFor(() => expect(toastQueue.first()?.text).toBe('User made admin'));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(requests).toEqual([{ id: 'u2', acceptUnconfirmed: false }]);
  });

  // spec: errors.admin.reject, errors.done.admin.reject
  it.each([
    [false, 'Admin request rejected'],
    [true, 'Failed to reject admin request'],
  ])('when the shop fails is %s, say after a rejection: %s', async (fails, words) => {
    if (fails) shop.fail(RejectAdminRequestDocument, 'INTERNAL');
    else {
      shop.answer(RejectAdminRequestDocument, {
        rejectAdminRequest: { __typename: 'RoleChanged', ...changed({ adminRequest: false }) },
      });
    }
    const { user } = renderShop(<AdminRequests requests={[ada]} allowed noteId="note" />);

    await user.click(screen.getByRole('button', { name: 'Reject Ada Lindqvist' }));

    await waitFor(() => expect(toastQueue.first()?.text).toBe(words));
  });
});
