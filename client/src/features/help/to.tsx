import type { ReactNode } from 'react';
import { Link } from '~/ui/link';
import { type Topic, topics } from './topics';

/** Leads to another page of answers, by its title unless the text has another word for it. */
export function To({ topic, children }: { topic: Topic; children?: ReactNode }) {
  return <Link to={topics[topic].to}>{children ?? topics[topic].title}</Link>;
}
