import { readAnew } from '~/features/admin/use-admin-events';
import { settled } from '~/graphql/settled';
import { toast } from '~/ui/toast';
import { texts } from './texts';
import {
  type AdminUserFragment,
  useDeleteUserMutation,
  useRejectAdminRequestMutation,
  useToggleAdminMutation,
} from './user.generated';

/** What the primary admin can do to another account; each says how it went. */
export function useUserControls({ id }: Pick<AdminUserFragment, 'id'>) {
  const [toggleAdmin, toggling] = useToggleAdminMutation();
  const [rejectRequest, rejecting] = useRejectAdminRequestMutation();
  const [deleteUser, deleting] = useDeleteUserMutation({
    update(cache) {
      cache.evict({ id: cache.identify({ __typename: 'User', id }) });
      cache.gc();
    },
  });

  async function toggle() {
    const { data, said } = await settled(toggleAdmin({ variables: { userId: id } }));
    readAnew();
    if (!data) toast.error(said ?? texts.roleFailed);
    else toast.success(data.toggleAdmin.user.role === 'ADMIN' ? texts.madeAdmin : texts.removedAdmin);
  }

  async function reject() {
    const { data, said } = await settled(rejectRequest({ variables: { userId: id } }));
    readAnew();
    if (data) toast.success(texts.rejected);
    else toast.error(said ?? texts.rejectFailed);
  }

  /** Whether the account is gone. */
  async function remove() {
    const { data, said } = await settled(deleteUser({ variables: { id } }));
    readAnew();
    if (data) toast.success(texts.userDeleted);
    else toast.error(said ?? texts.userDeleteFailed);
    return data !== undefined;
  }

  return {
    toggle,
    reject,
    remove,
    toggling: toggling.loading,
    rejecting: rejecting.loading,
    deleting: deleting.loading,
  };
}
