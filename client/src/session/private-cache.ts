import type { ApolloClient } from '@apollo/client';

/** Drops what belongs to one person; screens that show it ask again, as whoever is signed in now. */
export function forgetPrivate({ cache }: ApolloClient): void {
  for (const fieldName of ['viewer', 'admin']) cache.evict({ id: 'ROOT_QUERY', fieldName });
  cache.gc();
}
