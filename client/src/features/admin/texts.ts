import { texts as ui } from '~/ui/texts';

/** What the back office says; the letter is the specification's. */
export const texts = {
  title: 'Admin Dashboard',
  userControl: 'User Control',
  productControl: 'Product Control',
  analytics: 'Analytics',
  createProduct: 'Create New Product',
  denied: 'Access Denied - Admin Only',
  noPrivileges: 'You lack privileges to use these controls',
  wrong: ui.wrong,
  returnHome: ui.returnHome,
  statusFailed: 'Error checking admin status',

  furtherRooms: 'More of the back office',
  opening: 'Opening',

  primaryAdmin: 'Primary Admin',
  admin: 'Admin',
  pending: 'Pending Admin Requests',
  usersFailed: 'Error retrieving users',
  requestsFailed: 'Failed to fetch admin requests',
  madeAdmin: 'User made admin',
  removedAdmin: 'User removed from admin',
  roleFailed: 'Error updating admin status',
  rejected: 'Admin request rejected',
  rejectFailed: 'Failed to reject admin request',
  userDeleted: 'User deleted successfully',
  userDeleteFailed: 'Error deleting user',
} as const;
