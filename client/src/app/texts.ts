/** What header, footer and session say; the letter is the specification's. */
export const texts = {
  signOut: 'Sign Out',
  requestAdminAccess: 'Request Admin Access',
  signInOrUp: 'Signin/Signup',

  sale: 'Sales & Clearance',

  away: 'Our stock room does not answer just now. What you see may be a little out of date, and buying has to wait a moment.',

  sessionExpired: 'Session expired. Please sign in again.',
  signedOut: 'You are signed out',
  grantedAdmin: 'You have been granted admin access!',
  loggedOut: 'Logged out successfully',
  requestSent: 'Admin request sent successfully',
  requestFailed: 'Failed to send admin request',
} as const;
