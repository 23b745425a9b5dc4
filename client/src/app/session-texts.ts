/** What the end and the change of a session say; the letter is the specification's. */
export const texts = {
  sessionExpired: 'Session expired. Please sign in again.',
  signedOut: 'You are signed out',
  grantedAdmin: 'You have been granted admin access!',
} as const;
