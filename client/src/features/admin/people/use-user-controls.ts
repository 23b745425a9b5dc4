import { useState } from 'react';
import { refetchAll } from '~/features/admin/use-admin-events';
import { toResult } from '~/graphql/settled';
import { toast } from '~/ui/toast';
import { texts } from './texts';
import {
  type AdminUserFragment,
  useDeleteUserMutation,
  useRejectAdminRequestMutation,
  useToggleAdminMutation,
} from './user.generated';

/**
 * What the primary admin can do to another account; each says how it went. `doubt` is why the server asks once more
 * before it makes the account an admin.
 */
export function useUserControls({ id }: Pick<AdminUserFragment, 'id'>) {
  const [doubt, setDoubt] = useState<string | null>(null);
  const [toggleAdmin, toggling] = useToggleAdminMutation();
  const [rejectRequest, rejecting] = useRejectAdminRequestMutation();
  const [deleteUser, deleting] = useDeleteUserMutation({
    update(cache) {
      cache.evict({ id: cache.identify({ __typename: 'User', id }) });
      cache.gc();
    },
  });

  async function toggle(acceptUnconfirmed = false) {
    const { data, message } = await toResult(toggleAdmin({ variables: { id, acceptUnconfirmed } }));
    const result = data?.toggleAdmin;
    setDoubt(result?.__typename === 'EmailNotConfirmed' ? result.message : null);
    if (result?.__typename === 'EmailNotConfirmed') return;
    refetchAll();
    if (result?.__typename !== 'RoleChanged') toast.error(message ?? texts.roleFailed);
    else toast.success(result.user.role === 'ADMIN' ? texts.madeAdmin : texts.removedAdmin);
  }

  async function reject() {
    const { data, message } = await toResult(rejectRequest({ variables: { id } }));
    refetchAll();
    if (data) toast.success(texts.rejected);
    else toast.error(message ?? texts.rejectFailed);
  }

  /** Whether the account is gone. */
  async function remove() {
    const { data, message } = await toResult(deleteUser({ variables: { id } }));
    refetchAll();
    if (data) toast.success(texts.userDeleted);
    else toast.error(message ?? texts.userDeleteFailed);
    return data !== undefined;
  }

  return {
    toggle,
    doubt,
    dropDoubt: () => setDoubt(null),
    reject,
    remove,
    toggling: toggling.loading,
    rejecting: rejecting.loading,
    deleting: deleting.loading,
  };
}
