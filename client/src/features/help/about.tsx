import type { HelpText } from './help-text';
import { To } from './to';

export const about: HelpText = {
  lead: 'Shirts, jeans and trousers. Few of them, made well, and kept in stock.',
  facts: [
    { label: 'We make', text: 'Three kinds of garment, for women and men' },
    { label: 'Sizes', text: 'XS to XXL, at one price' },
    { label: 'We sell', text: 'Here and nowhere else' },
  ],
  sections: [
    {
      id: 'garments',
      heading: 'What we make',
      body: (
        <>
          <p>
            A shirt has a collar, a front that closes, and sleeves of the right length. Most of the work goes into those
            three. We draw a pattern once and keep it, so that the one you buy in two years fits like the one you are
            wearing.
          </p>
          <p>
            Every page says what a piece is made of, how it is cut, how it is washed and where it was sewn. Where we do
            not say it, we do not know it, and then we do not sell it.
          </p>
        </>
      ),
    },
    {
      id: 'facts-first',
      heading: 'How we show it',
      body: (
        <p>
          Whole garments, laid flat, on one ground, in every color that we sell. No models, because they are not you.
          The measurements are of the garment, so you can hold them against one of yours.
        </p>
      ),
    },
    {
      id: 'left-out',
      heading: 'What we leave out',
      body: (
        <ul>
          <li>Countdowns. "Only 2 left" is the number on the shelf.</li>
          <li>
            Followers. We count visits, not people, and no advertiser hears of them. See{' '}
            <To topic="privacy">Privacy</To>.
          </li>
          <li>Prices made to be crossed out. A struck price is one that we asked.</li>
          <li>Newsletters. We write when you have ordered or asked for it, or when your account has changed.</li>
        </ul>
      ),
    },
  ],
  next: ['stores', 'howToBuy', 'contact'],
};
