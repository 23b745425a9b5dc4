import { shopName } from '~/ui/shop-name';
import type { HelpText } from './help-text';
import { To } from './to';
import { ReturnTime } from './times';

export const terms: HelpText = {
  lead: 'What you and we agree on when you buy here, in words that need no lawyer.',
  facts: [
    {
      label: 'Seller',
      get text() {
        return shopName();
      },
    },
    { label: 'Prices', text: 'In US dollars; checkout adds delivery and tax' },
    { label: 'In force since', text: 'November 21, 2026' },
  ],
  sections: [
    {
      id: 'order',
      heading: 'The order',
      body: (
        <p>
          What stands on a page is an invitation; your payment is the order. It is agreed when the payment has gone
          through and the confirmation is on its way to you. If we then find that we cannot deliver, you get all of your
          money back.
        </p>
      ),
    },
    {
      id: 'price',
      heading: 'Price',
      body: (
        <p>
          You pay the total that checkout shows, by card, when you order. Duties abroad are not in it. A price that is
          plainly a slip, such as a shirt for a cent, binds neither of us; we tell you before anything is sent.
        </p>
      ),
    },
    {
      id: 'stock',
      heading: 'Stock',
      body: (
        <p>
          A cart holds nothing back. Pieces are set aside for you while you pay, for 35 minutes, and are yours once you
          have.
        </p>
      ),
    },
    {
      id: 'delivery',
      heading: 'Delivery',
      body: (
        <p>
          To the address that you chose at checkout. Until the parcel is in your hands, what happens to it is our
          trouble. <To topic="shipping" /> has the rest.
        </p>
      ),
    },
    {
      id: 'returns',
      heading: 'Returns',
      body: (
        <p>
          <ReturnTime /> from payment, for any reason or none. <To topic="returns" /> says how, and is part of these
          terms.
        </p>
      ),
    },
    {
      id: 'account',
      heading: 'Your account',
      body: (
        <p>
          One person, one account. Keep the password to yourself and tell us when somebody else has it. You may leave
          whenever you like; orders under way are still sent.
        </p>
      ),
    },
    {
      id: 'law',
      heading: 'The law',
      body: (
        <p>
          Nothing here takes away a right that the law of your country gives you. An order follows the terms of the day
          it was made.
        </p>
      ),
    },
  ],
  next: ['privacy', 'returns', 'contact'],
};
