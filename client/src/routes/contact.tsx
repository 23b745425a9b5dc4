import { contact } from '~/features/help/contact';
import { HelpPage } from '~/features/help/help-page';
import { useContactQuery } from './contact.generated';

/** /contact */
export default function ContactRoute() {
  const { data, error } = useContactQuery();
  return <HelpPage topic="contact" text={contact({ email: data?.shop.email, failed: Boolean(error) })} />;
}
