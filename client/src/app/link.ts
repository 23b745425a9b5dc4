import { ApolloLink, HttpLink, Observable } from '@apollo/client';
import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
import { ErrorLink } from '@apollo/client/link/error';
import { OperationTypeNode } from 'graphql';
import { throwError } from 'rxjs';
import { session } from '~/session/storage';
import { outage } from './outage';
import { reauthenticate } from './reauthenticate';
import { texts } from './texts';

function saysSignedOut(error: unknown): boolean {
  if (CombinedGraphQLErrors.is(error)) {
    return error.errors.some(({ extensions }) => extensions?.['code'] === 'UNAUTHENTICATED');
  }
  return ServerError.is(error) && error.statusCode === 401;
}

/** Every part of the page that waited for the request says the same of a session that has ended. */
const sessionOver = () =>
  new CombinedGraphQLErrors({ errors: [{ message: texts.sessionExpired, extensions: { code: 'UNAUTHENTICATED' } }] });

async function ask(...parameters: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(...parameters);
  outage.observe(answer);
  return answer;
}

const MAX_TRIES = 3;

/** The seconds after which the server asks a refused request to come again; undefined for every other error. */
function retryAfter(error: unknown): number | undefined {
  if (!ServerError.is(error) || error.statusCode !== 503) return undefined;
  return Number(error.response.headers.get('retry-after')) || undefined;
}

/** Asks again what a busy server put off. A mutation is left to the person who sent it. Apollo's own takes 0.4 kB more. */
const retries = new ApolloLink(
  (operation, forward) =>
    new Observable((observer) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      let tries = 0;
      const send = () => {
        tries += 1;
        return forward(operation).subscribe({
          next: (result) => observer.next(result),
          complete: () => observer.complete(),
          error(error) {
            const seconds = retryAfter(error);
            const isPutOff = seconds && tries < MAX_TRIES && operation.operationType === OperationTypeNode.QUERY;
            if (!isPutOff) return observer.error(error);
            timer = setTimeout(() => (sent = send()), seconds * 1000 * (1 + Math.random() / 4));
          },
        });
      };
      let sent = send();
      return () => {
        clearTimeout(timer);
        sent.unsubscribe();
      };
    }),
);

/** The way to the server: same-origin cookie, and a session that ends here when the server says that it has ended. */
export function createLink(uri: string): ApolloLink {
  const sessionEnded = new ErrorLink(({ error }) => {
    if (!saysSignedOut(error)) return;
    session.expire();
    return session.hasEnded() ? throwError(sessionOver) : undefined;
  });
  return ApolloLink.from([
    reauthenticate,
    sessionEnded,
    retries,
    new HttpLink({ uri, credentials: 'same-origin', fetch: ask }),
  ]);
}
