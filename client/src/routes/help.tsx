import type { ReactNode } from 'react';
import { HelpPage } from '~/features/help/help-page';
import { texts, type WrittenTopic } from '~/features/help/texts';
import { CloseUps } from './close-ups';

const pictures: Partial<Record<WrittenTopic, ReactNode>> = { about: <CloseUps /> };

/** /help/…, /stores, /about, /privacy, /terms */
export default function HelpRoute({ topic }: { topic: WrittenTopic }) {
  return <HelpPage topic={topic} text={texts[topic]} picture={pictures[topic]} />;
}
