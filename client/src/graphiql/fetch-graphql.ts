import type { GraphiQL } from 'graphiql';
import type { ComponentProps } from 'react';

type Fetcher = ComponentProps<typeof GraphiQL>['fetcher'];

/** Sends a document to the shop with this browser's session. */
export const fetchGraphQL: Fetcher = async (parameters, options) => {
  const answer = await fetch('/graphql', {
    method: 'POST',
    headers: { ...options?.headers, 'Content-Type': 'application/json' },
    credentials: 'same-origin',
    body: JSON.stringify(parameters),
  });
  return answer.json();
};
