/** What the account menu's actions say; the letter is the specification's. */
export const texts = {
  signOut: 'Sign Out',
  requestAdminAccess: 'Request Admin Access',
  loggedOut: 'Logged out successfully',
  requestSent: 'Admin request sent successfully',
  requestFailed: 'Failed to send admin request',
} as const;
