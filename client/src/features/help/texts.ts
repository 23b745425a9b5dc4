import { about } from './about';
import { faq } from './faq';
import type { HelpText } from './help-text';
import { howToBuy } from './how-to-buy';
import { payment } from './payment';
import { privacy } from './privacy';
import { returns } from './returns';
import { shipping } from './shipping';
import { stores } from './stores';
import { terms } from './terms';
import type { Topic } from './topics';

/** Every page but Contact Us, which waits for the shop's address. */
export type WrittenTopic = Exclude<Topic, 'contact'>;

export const texts: Record<WrittenTopic, HelpText> = {
  about,
  faq,
  howToBuy,
  payment,
  privacy,
  returns,
  shipping,
  stores,
  terms,
};
