import { Link } from '~/ui/link';
import { texts as ui } from '~/ui/account-texts';
import type { HelpText } from './help-text';
import { To } from './to';
import { CancelTime, ReturnTime } from './times';

export const returns: HelpText = {
  lead: (
    <>
      You have <ReturnTime /> from the day you pay. No reason is needed, and the money goes back to your card.
    </>
  ),
  facts: [
    {
      label: 'Time',
      text: (
        <>
          <ReturnTime /> from payment, sale pieces included
        </>
      ),
    },
    { label: 'Condition', text: 'Tried on is fine. Washed, worn out of doors or altered is not.' },
    { label: 'Money', text: 'What you paid for the piece, to the card that you paid with' },
    { label: 'Exchange', text: 'Return the one and order the other' },
  ],
  sections: [
    {
      id: 'how',
      heading: 'How to send it back',
      body: (
        <ol>
          <li>
            In <Link to="/account?tab=orders">{ui.orderHistory}</Link>, say under the order which pieces come back.{' '}
            <To topic="contact">A mail</To> with the order number does the same.
          </li>
          <li>We answer with the address and a label. The label costs you nothing.</li>
          <li>Pack it so that it survives the journey, hand it in, and keep the receipt.</li>
          <li>
            When it is here and unworn, the refund leaves, and a mail says so. Banks take five to ten days to show it.
          </li>
        </ol>
      ),
    },
    {
      id: 'exchange',
      heading: 'Another size or color',
      body: (
        <p>
          Order it now, while it is there, and return the first one. Swapping parcels would take twice as long, and the
          other size may be gone by then.
        </p>
      ),
    },
    {
      id: 'fault',
      heading: 'Something is wrong with it',
      body: (
        <p>
          A seam that opens, a wrong piece in the parcel: <To topic="contact">write to us</To> with a picture, also
          after <ReturnTime />. We repair it, replace it or refund it, and you do not pay for the way.
        </p>
      ),
    },
    {
      id: 'cancel',
      heading: 'Changed your mind at once',
      body: (
        <p>
          For <CancelTime /> after paying you can cancel the order yourself, in{' '}
          <Link to="/account?tab=orders">{ui.orderHistory}</Link>. The whole sum goes back to your card and the pieces
          back on the shelf. Later it is a return.
        </p>
      ),
    },
  ],
  next: ['contact', 'payment', 'shipping'],
};
