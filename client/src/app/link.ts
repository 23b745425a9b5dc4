import { ApolloLink, HttpLink, Observable } from '@apollo/client';
import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
import { OperationTypeNode } from 'graphql';
import { reauthentication } from '~/session/reauthentication';
import { session } from '~/session/storage';
import { outage } from './outage';
import { texts } from './session-texts';

const MAX_TRIES = 3;

function hasCode(error: unknown, code: string): boolean {
  return CombinedGraphQLErrors.is(error) && error.errors.some(({ extensions }) => extensions?.['code'] === code);
}

function saysSignedOut(error: unknown): boolean {
  return hasCode(error, 'UNAUTHENTICATED') || (ServerError.is(error) && error.statusCode === 401);
}

/** Every part of the page that waited for the request says the same of a session that has ended. */
function sessionOver(error: unknown): unknown {
  session.expire();
  if (!session.hasEnded()) return error;
  return new CombinedGraphQLErrors({
    errors: [{ message: texts.sessionExpired, extensions: { code: 'UNAUTHENTICATED' } }],
  });
}

async function ask(...parameters: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(...parameters);
  outage.observe(answer);
  return answer;
}

/** The seconds after which the server asks a refused request to come again; undefined for every other error. */
function retryAfter(error: unknown): number | undefined {
  if (!ServerError.is(error) || error.statusCode !== 503) return undefined;
  return Number(error.response.headers.get('retry-after')) || undefined;
}

/**
 * What a refused request comes to: a query that a busy server put off is asked again, what needs a recent sign-in is
 * repeated once the person has signed in again, and a session that the server ended ends here. A mutation that was put
 * off is left to the person who sent it. One link, because Apollo's own for errors and retries take 1 kB of the first
 * view.
 */
const refusals = new ApolloLink(
  (operation, forward) =>
    new Observable((observer) => {
      let tries = 0;
      let hasAsked = false;
      let isOpen = true;
      let timer: ReturnType<typeof setTimeout> | undefined;
      let sent = { unsubscribe: () => {} };

      function reauthenticate(error: unknown) {
        hasAsked = true;
        void reauthentication.ask().then((confirmed) => {
          if (!isOpen) return;
          if (confirmed) send();
          else observer.error(error);
        });
      }

      function refuse(error: unknown, otherwise: () => void) {
        const seconds = retryAfter(error);
        if (seconds && tries < MAX_TRIES && operation.operationType === OperationTypeNode.QUERY)
          timer = setTimeout(send, seconds * 1000 * (1 + Math.random() / 4));
        else if (hasCode(error, 'REAUTHENTICATION_REQUIRED') && !hasAsked) reauthenticate(error);
        else if (saysSignedOut(error)) {
          const said = sessionOver(error);
          if (said === error) otherwise();
          else observer.error(said);
        } else otherwise();
      }

      function send() {
        let isRefused = false;
        tries += 1;
        sent = forward(operation).subscribe({
          next(result) {
            const { errors } = result;
            isRefused = Boolean(errors?.length);
            if (isRefused)
              refuse(new CombinedGraphQLErrors(result), () => {
                isRefused = false;
                observer.next(result);
              });
            else observer.next(result);
          },
          error: (error) => refuse(error, () => observer.error(error)),
          complete: () => isRefused || observer.complete(),
        });
      }

      send();
      return () => {
        isOpen = false;
        clearTimeout(timer);
        sent.unsubscribe();
      };
    }),
);

/** The way to the server: same-origin cookie, and a session that ends here when the server says that it has ended. */
export function createLink(uri: string): ApolloLink {
  return ApolloLink.from([refusals, new HttpLink({ uri, credentials: 'same-origin', fetch: ask })]);
}
