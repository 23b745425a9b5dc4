import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
import { ErrorLink } from '@apollo/client/link/error';
import possibleTypes from '~/graphql/possible-types.generated';
import { session } from '~/session/storage';

export function makeCache(): InMemoryCache {
  return new InMemoryCache({
    ...possibleTypes,
    typePolicies: {
      Query: {
        fields: {
          // What a list knows of a product is shown of it at once; null is an answer too.
          product: (existing, { args, toReference }) =>
            existing === undefined ? toReference({ __typename: 'Product', id: String(args?.['id']) }) : existing,
        },
      },
      // Without an id of its own; each screen asks for other facts of the one shop.
      Shop: { merge: true },
      Cart: { fields: { lines: { merge: false } } },
      Viewer: { fields: { addresses: { merge: false } } },
    },
  });
}

function saysSignedOut(error: unknown): boolean {
  if (CombinedGraphQLErrors.is(error)) {
    return error.errors.some(({ extensions }) => extensions?.['code'] === 'UNAUTHENTICATED');
  }
  return ServerError.is(error) && error.statusCode === 401;
}

/** The one client: same-origin cookie, and a session that ends here when the server says that it has ended. */
export function makeClient(uri = '/graphql'): ApolloClient {
  const sessionEnded = new ErrorLink(({ error }) => {
    if (saysSignedOut(error)) session.expire();
  });
  return new ApolloClient({
    cache: makeCache(),
    link: ApolloLink.from([sessionEnded, new HttpLink({ uri, credentials: 'same-origin' })]),
    devtools: { enabled: import.meta.env.DEV },
  });
}
