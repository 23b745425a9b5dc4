import type { ReactNode } from 'react';
import type { Topic } from './topics';

export interface HelpSection {
  /** The section's anchor. */
  id: string;
  heading: string;
  body: ReactNode;
}

/** What one page says: the answer first, its details after. */
export interface HelpText {
  /** The answer in a sentence or two. */
  lead: ReactNode;
  facts: readonly { label: string; text: ReactNode }[];
  sections: readonly HelpSection[];
  /** Where the next question is probably answered. */
  next: readonly Topic[];
}

/** What each page answers, said on the others. */
export const teasers: Record<Topic, string> = {
  payment: 'Cards, refusals and refunds.',
  shipping: 'What it costs and where it goes.',
  returns: 'Send it back, and the money comes back.',
  faq: 'Sizes, stock and accounts, in short.',
  howToBuy: 'From the first look to the parcel.',
  stores: 'Where to try things on.',
  about: 'What we make and what we leave out.',
  contact: 'One address, read by people.',
  privacy: 'What we keep, and for how long.',
  terms: 'What you and we agree on.',
};
