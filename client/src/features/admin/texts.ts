import { texts as shared } from '~/ui/account-texts';
import { texts as ui } from '~/ui/texts';

/** What the back office says; the letter is the specification's. */
export const texts = {
  title: 'Admin Dashboard',
  userControl: 'User Control',
  productControl: 'Product Control',
  analytics: 'Analytics',
  createProduct: 'Create New Product',
  denied: 'Access Denied - Admin Only',
  noSecondFactor: 'Your account needs a second factor',
  setUpSecondFactor: 'Set one up',
  noPrivileges: 'You lack privileges to use these controls',
  wrong: ui.wrong,
  returnHome: shared.returnHome,
  tryAgain: 'Try again',
  stale: 'What is shown below was fetched before.',
  statusFailed: 'Error checking admin status',

  furtherScreens: 'More of the back office',
  busiest: 'Busiest of the back office',
  allRooms: 'All',
  opening: 'Opening',
  history: 'History',
  daysIn: (timeZone: string) => `Days and times in ${timeZone}`,

  leaveTitle: 'Leave without saving?',
  leaveText: 'What you have changed here will be lost:',
  leave: 'Leave',
  stay: 'Stay',

  primaryAdmin: 'Primary Admin',
  admin: 'Admin',
} as const;
