import { Link } from '~/ui/link';
import { texts as ui } from '~/ui/texts';
import type { HelpText } from './help-text';
import { To } from './to';
import { CancelTime } from './times';

export const shipping: HelpText = {
  lead: 'Shipping is included. The total at checkout is the sum of the pieces, and nothing is added to it.',
  facts: [
    { label: 'Price', text: 'Nothing on top' },
    { label: 'Goes to', text: 'The address that you choose at checkout' },
    { label: 'Confirmed', text: 'By mail, once the payment is through' },
    { label: 'Delivery day', text: 'We name none that we cannot keep. Ask about your order, and you hear where it is.' },
  ],
  sections: [
    {
      id: 'cost',
      heading: 'What it costs',
      body: (
        <p>
          The cart says "{ui.calculatedLater}". At checkout it comes to nothing: the total there is what your card is
          charged. Should that ever change, the price will stand in the order summary before you pay.
        </p>
      ),
    },
    {
      id: 'address',
      heading: 'Where it goes',
      body: (
        <>
          <p>
            Your account keeps up to ten addresses, one of them the default. Write each as it should stand on the
            parcel, with a phone number: some carriers do not deliver without one.
          </p>
          <p>
            An order keeps the address that it was paid with. Changing your address book afterwards does not move the
            parcel. Cancel the order within <CancelTime /> and order anew, or <To topic="contact">write to us</To> with its
            number before it has left.
          </p>
        </>
      ),
    },
    {
      id: 'when',
      heading: 'When it comes',
      body: (
        <p>
          <Link to="/account">{ui.orderHistory}</Link> shows each order from the minute it is paid, and what has happened to
          it since. For where the parcel is, <To topic="contact">write to us</To> with the order number.
        </p>
      ),
    },
    {
      id: 'abroad',
      heading: 'Abroad',
      body: (
        <p>
          Prices are in US dollars. Duties and taxes of the country that the parcel goes to are not in them; where your
          customs office asks for some, it asks you.
        </p>
      ),
    },
    {
      id: 'damaged',
      heading: 'Late, lost or damaged',
      body: (
        <p>
          <To topic="contact">Write to us</To> with the order number and, if something is broken, a picture of it. What
          does not arrive whole is sent again while we have it, and refunded when we do not.
        </p>
      ),
    },
  ],
  next: ['returns', 'payment', 'contact'],
};
