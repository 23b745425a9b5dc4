import { Link } from '~/ui/link';
import type { HelpText } from './help-text';

export const payment: HelpText = {
  lead: 'By card, as the last step of checkout. You pay the total that stands there, once, and nothing later.',
  facts: [
    { label: 'Cards', text: 'Credit and debit. The form says which brands it takes.' },
    { label: 'Currency', text: 'US dollars' },
    { label: 'Charged', text: 'At the moment you pay' },
    { label: 'Card number', text: 'Goes to Stripe. It never reaches our computers.' },
  ],
  sections: [
    {
      id: 'form',
      heading: 'The card form',
      body: (
        <>
          <p>
            The form on the payment page is Stripe's, set into ours. What you type goes straight to them, encrypted. We
            learn whether the payment went through, and the sum. We could not show you your card number if you asked.
          </p>
          <p>Some banks want a code or a tap in their app first. The form asks for it and brings you back by itself.</p>
        </>
      ),
    },
    {
      id: 'held',
      heading: 'While you pay',
      body: (
        <p>
          The pieces are set aside for you when the form opens, for 35 minutes. Going back to look again is fine: the
          same checkout opens as long as cart, prices and address are the same. A cart alone holds nothing.
        </p>
      ),
    },
    {
      id: 'refused',
      heading: 'If the card is refused',
      body: (
        <p>
          Nothing is charged, no order is made, and your cart is as it was. Try again or take another card. Why it was
          refused, only your bank knows.
        </p>
      ),
    },
    {
      id: 'closed',
      heading: 'If the page closes too soon',
      body: (
        <p>
          A payment that went through is not lost with the page. Stripe tells us directly; the order appears in your
          account, and the confirmation comes by mail.
        </p>
      ),
    },
    {
      id: 'refunds',
      heading: 'Refunds',
      body: (
        <p>
          They go to the card that you paid with, and a mail says so when one leaves us. Banks take five to ten days to
          show it. If we cannot deliver what you have paid for, the refund is made without your asking.
        </p>
      ),
    },
    {
      id: 'prices',
      heading: 'Prices and discounts',
      body: (
        <p>
          A price in red is what you pay; the struck-through one is what it was. Checkout charges the price of that
          moment, and the cart tells you when it changed since you put a piece in. A discount code goes into the{' '}
          <Link to="/cart">cart</Link>, which says at once what it takes off.
        </p>
      ),
    },
  ],
  next: ['returns', 'shipping', 'privacy'],
};
