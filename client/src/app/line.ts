import { ApolloLink, HttpLink } from '@apollo/client';
import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
import { ErrorLink } from '@apollo/client/link/error';
import { session } from '~/session/storage';
import { outage } from './outage';
import { reauthenticate } from './reauthenticate';

function saysSignedOut(error: unknown): boolean {
  if (CombinedGraphQLErrors.is(error)) {
    return error.errors.some(({ extensions }) => extensions?.['code'] === 'UNAUTHENTICATED');
  }
  return ServerError.is(error) && error.statusCode === 401;
}

async function ask(...asked: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(...asked);
  outage.hear(answer);
  return answer;
}

/** The way to the server: same-origin cookie, and a session that ends here when the server says that it has ended. */
export function makeLine(uri: string): ApolloLink {
  const sessionEnded = new ErrorLink(({ error }) => {
    if (saysSignedOut(error)) session.expire();
  });
  return ApolloLink.from([reauthenticate, sessionEnded, new HttpLink({ uri, credentials: 'same-origin', fetch: ask })]);
}
