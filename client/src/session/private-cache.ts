import type { ApolloClient } from '@apollo/client';

/** Drops an account's data from the cache; screens that show it refetch with the present session. */
export function forgetPrivate({ cache }: ApolloClient): void {
  for (const fieldName of ['viewer', 'admin']) cache.evict({ id: 'ROOT_QUERY', fieldName });
  cache.gc();
}
