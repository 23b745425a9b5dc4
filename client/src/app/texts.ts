/** What header and footer say; the letter is the specification's. */
export const texts = {
  signInOrUp: 'Signin/Signup',

  sale: 'Sales & Clearance',

  away: 'Our stock room does not answer just now. What you see may be a little out of date, and buying has to wait a moment.',
} as const;
