import { categoryPath } from '~/graphql/catalogue';
import { Link } from '~/ui/link';
import { shopName } from '~/ui/shop-name';
import type { HelpText } from './help-text';
import { To } from './to';
import { ReturnTime } from './times';

export const stores: HelpText = {
  get lead() {
    return `There are none. ${shopName()} sells in one place, and you are in it.`;
  },
  facts: [
    { label: 'Our own', text: 'None' },
    { label: 'In other shops', text: 'None' },
    { label: 'Open', text: 'Always' },
  ],
  sections: [
    {
      id: 'trying-on',
      heading: 'Trying on',
      body: (
        <p>
          Measurements on the products' pages, in inches and centimeters, and <ReturnTime /> to send back what does not
          fit. Trying it on at home is what they are for: <To topic="returns" />.
        </p>
      ),
    },
    {
      id: 'seeing-cloth',
      heading: 'Seeing the cloth',
      body: (
        <p>
          Every color has pictures of its own: front, back, and one close enough to count threads. Start with{' '}
          <Link to={categoryPath('men')}>Men</Link> or <Link to={categoryPath('women')}>Women</Link>.
        </p>
      ),
    },
    {
      id: 'asking',
      heading: 'Asking somebody',
      body: (
        <p>
          <To topic="contact">Write to us</To>. The people who answer are the people who pack.
        </p>
      ),
    },
  ],
  next: ['returns', 'contact', 'about'],
};
