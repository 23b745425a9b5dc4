import { Link } from '~/ui/link';
import { texts as ui } from '~/ui/texts';
import type { HelpText } from './help-text';
import { To } from './to';
import { ReturnTime } from './times';

export const howToBuy: HelpText = {
  lead: 'Choose a color and a size, sign in, say where it goes, pay by card. The second time is shorter.',
  facts: [
    { label: 'You need', text: 'An email address, a delivery address, a card' },
    { label: 'You pay', text: 'The total at checkout, with delivery and tax in it' },
    { label: 'You get', text: 'A confirmation by mail, with the order number' },
  ],
  sections: [
    {
      id: 'find',
      heading: 'Find it',
      body: (
        <p>
          Menu opens on every kind of garment. Search starts at two letters and forgives a slip. Lists can be narrowed
          by size, color, price and stock, and the address in your browser keeps the choice, so a list can be sent to
          somebody.
        </p>
      ),
    },
    {
      id: 'choose',
      heading: 'Choose color and size',
      body: (
        <p>
          The pictures follow the color. Crossed-out sizes are sold out in it. Measurements, in inches and centimeters,
          are on the same page.
        </p>
      ),
    },
    {
      id: 'add',
      heading: ui.addToCart,
      body: (
        <p>
          If you are not signed in, you are asked to be; what you chose is added by itself afterwards. The cart stays
          with your account and waits on every device.
        </p>
      ),
    },
    {
      id: 'address',
      heading: 'Say where it goes',
      body: <p>Pick one of your addresses or add one. The default is chosen for you.</p>,
    },
    {
      id: 'pay',
      heading: 'Pay',
      body: (
        <p>
          The pieces are set aside for 35 minutes while you type. A refused card costs nothing and leaves the cart as it
          was. More under <To topic="payment">Payment</To>.
        </p>
      ),
    },
    {
      id: 'after',
      heading: 'Afterwards',
      body: (
        <p>
          The order is in your <Link to="/account">account</Link> at once. Not right? You have <ReturnTime /> to send it
          back: <To topic="returns" />.
        </p>
      ),
    },
  ],
  next: ['payment', 'shipping', 'faq'],
};
