import { TextSkeleton } from '~/ui/skeleton';
import type { HelpText } from './help-text';
import { To } from './to';

interface Address {
  email: string | undefined;
  /** It could not be asked for. */
  failed: boolean;
}

function Mail({ email, failed }: Address) {
  if (email) return <a href={`mailto:${email}`}>{email}</a>;
  if (failed) return 'Answer any mail of ours; it reaches the same people.';
  return <TextSkeleton width="12rem" />;
}

/** The one page with data of the server: where mail is read. */
export const contact = (address: Address): HelpText => ({
  lead: 'One address for everything, read by people. Answering one of our mails reaches them, too.',
  facts: [
    { label: 'Mail', text: <Mail {...address} /> },
    { label: 'About an order', text: 'Give its number, such as M-10001' },
    { label: 'Language', text: 'English' },
  ],
  sections: [
    {
      id: 'what-to-write',
      heading: 'So that one answer is enough',
      body: (
        <ul>
          <li>An order: its number, from the confirmation or Order History.</li>
          <li>A return: the number, and which pieces come back.</li>
          <li>Something broken: the number, and a picture of what is broken.</li>
          <li>A size: the piece, and the measurements of one that fits you.</li>
        </ul>
      ),
    },
    {
      id: 'never-asked',
      heading: 'What we never ask',
      body: (
        <p>
          Your password and your card number. We have no use for them, in a mail or otherwise. Whoever asks for them in
          our name is not us.
        </p>
      ),
    },
    {
      id: 'security',
      heading: 'A hole in the shop',
      body: (
        <p>
          If you found a way to something that should be closed, write to the same address with "Security" in the
          subject. Tell us how to see it, and give us time to close it before you tell others. We thank you by name, or
          not, as you like.
        </p>
      ),
    },
    {
      id: 'quicker',
      heading: 'Perhaps quicker',
      body: (
        <p>
          <To topic="faq" /> answers most of what is asked, and <To topic="returns" /> has the steps.
        </p>
      ),
    },
  ],
  next: ['faq', 'returns', 'shipping'],
});
