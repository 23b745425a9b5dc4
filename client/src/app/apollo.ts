import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client';
import { from, mergeMap } from 'rxjs';
import { objectTypes, possibleTypes } from '~/graphql/possible-types.generated';
import { drawnFor } from '~/session/drawn-for';
import { whenIdle } from '~/ui/scheduling';

export function makeCache(): InMemoryCache {
  return new InMemoryCache({
    // Of object types nothing needs to be known, but that they are: Apollo warns in development alone.
    possibleTypes: import.meta.env.DEV ? { ...possibleTypes, ...objectTypes } : possibleTypes,
    typePolicies: {
      Query: {
        fields: {
          // A product page shows a list's data of the product at once; null is an answer too.
          product: (existing, { args, toReference }) =>
            existing === undefined ? toReference({ __typename: 'Product', id: String(args?.['id']) }) : existing,
        },
      },
      // Without an id of their own; each screen asks for other facts of the one shop, its back office or a search.
      Shop: { merge: true },
      Admin: { merge: true },
      Analytics: { merge: true },
      SearchResult: { merge: true },
      Cart: { fields: { lines: { merge: false } } },
      Viewer: { fields: { addresses: { merge: false } } },
    },
  });
}

const NEWS_MS = 5000;

const loadLink = () => import('./link');

/** The one client. What talks to the server comes after what shows a page, which has its answers in it. */
export function makeClient(uri = '/graphql'): ApolloClient {
  whenIdle()
    .then(loadLink)
    .catch(() => undefined); // The first question asks for it again, and says so when there is no way to the server.
  return new ApolloClient({
    cache: makeCache(),
    link: new ApolloLink((operation, forward) =>
      from(loadLink()).pipe(mergeMap(({ createLink }) => createLink(uri).request(operation, forward))),
    ),
    // What a page of one's own says is news: nothing of it is asked again at once.
    ssrForceFetchDelay: drawnFor() ? NEWS_MS : 0,
    devtools: { enabled: import.meta.env.DEV },
  });
}
