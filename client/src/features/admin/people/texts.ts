import { texts as admin } from '~/features/admin/texts';
import { texts as ui } from '~/ui/account-texts';

/** What the back office says about accounts; the letter is the specification's. */
export const texts = {
  primaryAdmin: admin.primaryAdmin,
  users: 'Users',
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
  nobodyWaits: 'Nobody is waiting.',
  nobodyFound: 'Nobody matches.',
  makeAdmin: 'Make Admin',
  removeAdmin: 'Remove Admin',
  makingAdmin: 'sees every customer and order from now on, changes products and stock, and pays money back.',
  notConfirmed: 'e-mail not confirmed',
  doubtTitle: (name: string) => `The e-mail of ${name} is not confirmed. Make an admin of the account all the same?`,
  doubtHint: 'Ask them to open the link in the mail first, unless you know that the account is theirs.',
  removingAdmin: 'leaves the back office at once, and stays a customer.',
  deletion:
    'The account goes, with its sessions, addresses, cart and wishlist. Its orders stay, without the buyer. This action cannot be undone.',

  customerFailed: 'Error retrieving user',
  noCustomer: 'User not found',
  noCustomerText: 'There is no account at this address. It may have been deleted.',
  signedOut: 'Signed out',
  signOutFailed: 'Error signing out',
  noSessions: 'Not signed in anywhere.',
  noAddresses: ui.noAddresses,
  noOrders: ui.noOrders,
  endSecondFactors: 'End passkeys and codes',
  endingSecondFactors:
    'Passkeys, codes of an authenticator app and recovery codes end, and every browser is signed out. Until there are new ones, the password alone signs in.',
  secondFactorsEnded: 'Passkeys and codes ended',
  secondFactorsNotEnded: 'Error ending passkeys and codes',
  signOutEverywhere: 'Sign out everywhere',
  signingOut: 'Every browser that is signed in to this account is signed out at once. Carts and orders stay.',
} as const;
