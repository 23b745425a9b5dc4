import { Link } from '~/ui/link';
import type { HelpText } from './help-text';
import { To } from './to';

export const privacy: HelpText = {
  lead: "We keep what it takes to send you a parcel. Who looks at what is nobody's business, ours included.",
  facts: [
    { label: 'Cookies', text: 'One, once you sign in' },
    { label: 'Tracking', text: 'None: we count visits, not people' },
    { label: 'Card number', text: "Stripe's only" },
    { label: 'Sold or lent', text: 'Nothing, to nobody' },
  ],
  sections: [
    {
      id: 'kept',
      heading: 'What we keep',
      body: (
        <ul>
          <li>Your account: name, email and a scrambled form of the password that cannot be turned back.</li>
          <li>Your addresses, until you delete them, your cart and your wishlist.</li>
          <li>The sizes that you asked a mail about, until it is sent.</li>
          <li>Your orders: pieces, prices, delivery address, and whether they are paid or refunded.</li>
          <li>
            Your sign-ins: which browser, from which network address, and when last. They are listed in your{' '}
            <Link to="/account">account</Link>, where you can end each; they end by themselves after 24 hours.
          </li>
          <li>Network addresses, for minutes, to slow down whoever guesses passwords or floods the shop.</li>
        </ul>
      ),
    },
    {
      id: 'cookie',
      heading: 'The cookie',
      body: (
        <p>
          It holds a random number that says that you are signed in, for 24 hours at most. Scripts cannot read it, and
          signing out deletes it. Visitors get none. There is no banner because there is nothing to agree to.
        </p>
      ),
    },
    {
      id: 'counted',
      heading: 'What we count',
      body: (
        <>
          <p>
            How often a product is looked at, put in a cart, taken to a checkout and paid for. For that your browser
            makes up a random number for its tab, and tells us with it which products the tab opened. The number is gone
            when the tab is closed; no cookie holds it, and neither your name, your account nor your network address is
            written down with it.
          </p>
          <p>
            When a tab goes to pay, we note for at most a day which checkout it was, to see whether it was paid, and
            then cut the link. A browser that says Do Not Track or Global Privacy Control makes up no number and is not
            counted. Counts are deleted after two years and a month.
          </p>
        </>
      ),
    },
    {
      id: 'browser',
      heading: 'What stays in your browser',
      body: (
        <p>
          Your name and email, so that the menu knows you; light or dark; grid or list; inches or centimeters; which
          products you looked at last; your wishlist, until you sign in; where your last checkout was to go; and, until
          its tab is closed, an address that you have begun to enter and the random number of a visit. But for that
          number these notes stay on your device, and we never see them as such.
        </p>
      ),
    },
    {
      id: 'others',
      heading: 'Who else learns something',
      body: (
        <ul>
          <li>
            Stripe, when you pay: email, sum and card. On the payment page it may set cookies of its own, to tell people
            from machines.
          </li>
          <li>
            Google, on the sign-in pages only, whose button comes from there. If you use it, we learn your name, email
            and a number that stands for you there; Google learns that you signed in here.
          </li>
          <li>The carrier: name, address and phone number on the parcel.</li>
          <li>Those who carry our mail, to bring it to you.</li>
        </ul>
      ),
    },
    {
      id: 'how-long',
      heading: 'For how long',
      body: (
        <p>
          The account for as long as you want it. Orders for as long as the tax office wants to see them; without an
          account they are no longer tied to one. What our own people changed in the shop, your account or its role
          among it, stays written down with the email it had, so that it can be explained later.
        </p>
      ),
    },
    {
      id: 'rights',
      heading: 'See it, change it, end it',
      body: (
        <p>
          Name, email, password and addresses are yours to change in your <Link to="/account">account</Link>. There you
          can also download everything that we know of you, and delete the account for good. What is left to ask,{' '}
          <To topic="contact">ask</To>.
        </p>
      ),
    },
  ],
  next: ['terms', 'payment', 'contact'],
};
