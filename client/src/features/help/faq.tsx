import { Link } from '~/ui/link';
import { texts as shared } from '~/ui/account-texts';
import { Questions } from '~/ui/questions';
import { texts as ui } from '~/ui/texts';
import type { HelpText } from './help-text';
import { To } from './to';
import { CancelTime, ReturnTime } from './times';

export const faq: HelpText = {
  lead: 'What people ask us, answered in a few lines each.',
  facts: [],
  sections: [
    {
      id: 'sizes',
      heading: 'Sizes and stock',
      body: (
        <Questions
          questions={[
            {
              id: 'which-size',
              question: 'Which size do I take?',
              answer: (
                <p>
                  Lay a piece that fits you flat, measure it, and compare it with Measurements on the product's page, in
                  inches or centimeters. "Fit" under Details says whether a cut is slim, straight or roomy.
                </p>
              ),
            },
            {
              id: 'sold-out',
              question: 'My size is crossed out. Will it come back?',
              answer: (
                <p>
                  It is sold out in the color you are looking at; each color has stock of its own. Choose the
                  crossed-out size and leave your email, and one mail tells you when a piece is back.
                </p>
              ),
            },
            {
              id: 'few-left',
              question: 'Is "Only 2 left" true?',
              answer: (
                <p>
                  Yes. It is the number of pieces in that color and size that are neither sold nor in a payment right
                  now.
                </p>
              ),
            },
            {
              id: 'more-than-stock',
              question: 'Why can I not add more?',
              answer: <p>Because there are no more. A quantity ends where the stock does.</p>,
            },
          ]}
        />
      ),
    },
    {
      id: 'ordering',
      heading: 'Ordering',
      body: (
        <Questions
          questions={[
            {
              id: 'account',
              question: 'Do I need an account?',
              answer: (
                <p>
                  To look around, no. To fill a cart, yes: name, email and a password, or your Google account. What you
                  wanted to add is in the cart when you come back from signing in.
                </p>
              ),
            },
            {
              id: 'cart-keeps',
              question: 'Does my cart keep?',
              answer: (
                <p>
                  Yes, with your account, on every device that you sign in on. It reserves nothing, though: pieces are
                  set aside only while you pay. If a price or the stock changes meanwhile, the line says so.
                </p>
              ),
            },
            {
              id: 'order-came-through',
              question: 'Did my order go through?',
              answer: (
                <p>
                  If it stands in <Link to="/account?tab=orders">{shared.orderHistory}</Link>, it did. A confirmation
                  with the order number and a link to it comes by mail, too.
                </p>
              ),
            },
            {
              id: 'change-order',
              question: 'Can I change or cancel an order?',
              answer: (
                <p>
                  Cancel, yes: in <Link to="/account?tab=orders">{shared.orderHistory}</Link>, for <CancelTime /> after
                  paying. To change one, cancel it and order anew.
                </p>
              ),
            },
          ]}
        />
      ),
    },
    {
      id: 'paying',
      heading: 'Paying and returning',
      body: (
        <Questions
          questions={[
            {
              id: 'card-kept',
              question: 'Do you keep my card number?',
              answer: (
                <p>
                  No. It goes to Stripe and never reaches us. More under <To topic="payment">Payment</To>.
                </p>
              ),
            },
            {
              id: 'codes',
              question: 'Where do I enter a discount code?',
              answer: (
                <p>
                  In the cart, above the button that leads to checkout. It says at once what the code takes off, or why
                  it does not count. What costs less without one is under{' '}
                  <Link to="/category/sale">{ui.saleAndClearance}</Link>.
                </p>
              ),
            },
            {
              id: 'shipping-price',
              question: 'What does shipping cost?',
              answer: (
                <p>
                  It goes by the country, and checkout shows it before you pay. The prices are under{' '}
                  <To topic="shipping" />.
                </p>
              ),
            },
            {
              id: 'return',
              question: 'How do I return something?',
              answer: (
                <p>
                  Within <ReturnTime /> of paying, with a label from us. The four steps are under <To topic="returns" />
                  .
                </p>
              ),
            },
          ]}
        />
      ),
    },
    {
      id: 'account-questions',
      heading: 'Your account',
      body: (
        <Questions
          questions={[
            {
              id: 'signed-out',
              question: 'Why was I signed out?',
              answer: (
                <p>
                  A sign-in lasts 24 hours. It also ends on every device when you change your password or email. Your
                  cart waits.
                </p>
              ),
            },
            {
              id: 'forgot',
              question: 'I forgot my password.',
              answer: (
                <p>
                  <Link to="/forgot-password">Ask for a link</Link>. It works once, for one hour; a newer one replaces
                  an older.
                </p>
              ),
            },
            {
              id: 'other-device',
              question: 'Somebody else may be signed in as me.',
              answer: (
                <p>
                  <Link to="/account">{shared.accountDetails}</Link> lists every browser that is signed in, with a
                  button that ends each. Then change your password: that ends all the others at once.
                </p>
              ),
            },
          ]}
        />
      ),
    },
  ],
  next: ['howToBuy', 'returns', 'contact'],
};
