import { HelpPage } from '~/features/help/help-page';
import { texts, type WrittenTopic } from '~/features/help/texts';

/** /help/…, /stores, /about, /privacy, /terms */
export default function HelpRoute({ topic }: { topic: WrittenTopic }) {
  return <HelpPage topic={topic} text={texts[topic]} />;
}
