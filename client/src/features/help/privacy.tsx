import { Link } from '~/ui/link';
import type { Key } from '~/ui/stored';
import type { HelpText } from './help-text';
import { To } from './to';

const cookies = [
  {
    name: 'accessToken',
    lasts: '24 hours',
    holds: 'A random number that says that you are signed in. Scripts cannot read it, and signing out deletes it.',
  },
  {
    name: 'signedIn',
    lasts: '24 hours',
    holds: 'Until when you are signed in, so that the page need not ask. Signing out deletes it.',
  },
  {
    name: 'device',
    lasts: '365 days',
    holds:
      'A random number by which we know a browser that has signed in before, so that somebody who guesses passwords has to wait and you do not. Scripts cannot read it; it signs nobody in, and stays when you sign out.',
  },
  {
    name: 'signingIn',
    lasts: '10 minutes',
    holds:
      'Set when you begin a sign-in with a passkey or a second step: a random number that ties it to this browser. Scripts cannot read it.',
  },
];

/** What each entry of the browser's storage is for; those that serve one end are said once. */
const inBrowser: Record<Key, string> = {
  user: 'your name and email, so that the menu knows you',
  'minimal:theme': 'light or dark',
  'minimal:list-view': 'grid or list',
  'minimal:units': 'inches or centimeters',
  'minimal:recently-viewed': 'which products you looked at last',
  'minimal:wishlist': 'your wishlist, until you sign in',
  'minimal:wishlist-colors': 'your wishlist, until you sign in',
  checkoutAddressId: 'where your last checkout was to go',
  processedPaymentSessionId: 'which payment was confirmed last, and that the end of a session was announced',
  expiredNotificationShown: 'which payment was confirmed last, and that the end of a session was announced',
  'minimal:address-draft': 'until its tab is closed, an address that you have begun to enter',
  'minimal:toasts': 'messages for the next page, and that a page was loaded anew after an update',
  'minimal:reloaded-for': 'messages for the next page, and that a page was loaded anew after an update',
  'minimal:visit': 'the random number of a visit',
};

export const privacy: HelpText = {
  lead: "We keep what it takes to send you a parcel. Who looks at what is nobody's business, ours included.",
  facts: [
    { label: 'Cookies', text: 'Three once you sign in, a fourth for a second step' },
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
          <li>
            Your account: name, email and a scrambled form of the password that cannot be turned back; which Google
            account signs in to it, its passkeys and codes; and, for 7 days, an email that you have replaced.
          </li>
          <li>Your addresses, until you delete them, your cart and your wishlist.</li>
          <li>
            The sizes that you asked a mail about, and for 60 days after it is sent, in which its link ends such mails.
          </li>
          <li>
            Your orders: pieces, prices, discount code, delivery address, parcels, returns with your reason, and what
            was paid and refunded. Of payments that you began and did not finish: email, address and sum.
          </li>
          <li>That we mailed you, and about what, for 30 days; what the mail said, until it is sent.</li>
          <li>
            Your sign-ins: which browser, from which network address, and when last. They are listed in your{' '}
            <Link to="/account">account</Link>, where you can end each; they end by themselves after 24 hours.
          </li>
          <li>
            Up to 20 browsers that have signed in before, without what they are, for 365 days after the last time.
          </li>
          <li>Network addresses, for 24 hours at most, to slow down whoever guesses passwords or floods the shop.</li>
        </ul>
      ),
    },
    {
      id: 'cookie',
      heading: 'The cookies',
      body: (
        <>
          <ul>
            {cookies.map(({ name, lasts, holds }) => (
              <li key={name}>
                <code>{name}</code>, for {lasts}. {holds}
              </li>
            ))}
          </ul>
          <p>
            Who only looks around gets none. There is no banner, because a sign-in cannot do without them and nothing
            else uses them.
          </p>
        </>
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
          In its storage: {[...new Set(Object.values(inBrowser))].join('; ')}. But for that number these notes stay on
          your device, and we never see them as such. So do the public pages and pictures that you have opened, which
          then open without network too. Signing out forgets what is yours of both.
        </p>
      ),
    },
    {
      id: 'others',
      heading: 'Who else learns something',
      body: (
        <ul>
          <li>
            Stripe, when you pay: email, the names of the pieces, delivery, sum and card. On the payment page it may set
            cookies of its own, to tell people from machines.
          </li>
          <li>
            Google, on the sign-in pages and where you link or confirm an account with it, since the button comes from
            there. If you use it, we learn your name, email and a number that stands for you there; Google learns that
            you signed in here.
          </li>
          <li>
            The carrier: name, address and phone number on the parcel. A link that follows a parcel leads to its pages.
          </li>
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
