import { ApolloLink, HttpLink } from '@apollo/client';
import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
import { ErrorLink } from '@apollo/client/link/error';
import { RetryLink } from '@apollo/client/link/retry';
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

/** Asks again what a busy server put off. A mutation is left to the person who sent it. */
function makeRetries(): RetryLink {
  return new RetryLink({
    attempts: (tries, { operationType }, error) =>
      operationType === OperationTypeNode.QUERY && tries < MAX_TRIES && retryAfter(error) !== undefined,
    delay: (_tries, _operation, error) => (retryAfter(error) ?? 0) * 1000 * (1 + Math.random() / 4),
  });
}

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
    makeRetries(),
    new HttpLink({ uri, credentials: 'same-origin', fetch: ask }),
  ]);
}
