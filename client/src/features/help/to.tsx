import type { ReactNode } from 'react';
import { Link } from '~/ui/link';
import { type Topic, topics } from './topics';

/** A word in a text that leads to another page of answers. */
export function To({ topic, children }: { topic: Topic; children: ReactNode }) {
  return <Link to={topics[topic].to}>{children}</Link>;
}
