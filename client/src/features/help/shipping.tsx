import { Link } from '~/ui/link';
import { texts as ui } from '~/ui/account-texts';
import { DeliveryPrices, TaxWords } from './delivery';
import type { HelpText } from './help-text';
import { To } from './to';
import { CancelTime } from './times';

export const shipping: HelpText = {
  lead: 'What a parcel costs goes by the country. Checkout calculates it for the address that you choose, before you pay.',
  facts: [
    { label: 'Price', text: 'By country, shown in the order summary' },
    { label: 'Goes to', text: 'The address that you choose at checkout' },
    { label: 'Confirmed', text: 'By mail, once the payment is through' },
    { label: 'Takes', text: 'As many working days as stand below, from the day it leaves' },
  ],
  sections: [
    {
      id: 'cost',
      heading: 'What it costs',
      body: (
        <>
          <DeliveryPrices />
          <p>
            The cart says "{ui.calculatedLater}". There you choose the address, and the order summary shows delivery and
            tax before you pay. The total there is what your card is charged. What counts for free delivery is the price
            of the pieces after any discount code.
          </p>
        </>
      ),
    },
    {
      id: 'address',
      heading: 'Where it goes',
      body: (
        <>
          <p>
            Your account keeps an address book; one address is the default. Write each as it should stand on the parcel,
            with a phone number: some carriers do not deliver without one.
          </p>
          <p>
            An order keeps the address that it was paid with. Changing your address book afterwards does not move the
            parcel. Cancel the order within <CancelTime /> and order anew, or <To topic="contact">write to us</To> with
            its number before it has left.
          </p>
        </>
      ),
    },
    {
      id: 'when',
      heading: 'When it comes',
      body: (
        <p>
          <Link to="/account?tab=orders">{ui.orderHistory}</Link> shows each order from the minute it is paid, and what
          has happened to it since. When a parcel leaves, a mail names the carrier, with the tracking number and a link
          that follows it where the carrier has one; both stand under the order as well.
        </p>
      ),
    },
    {
      id: 'abroad',
      heading: 'Tax and duties',
      body: (
        <p>
          Prices are in US dollars. <TaxWords /> Duties are not in them; where your customs office asks for some, it
          asks you.
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
