import { ApolloLink } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { ErrorLink } from '@apollo/client/link/error';
import { from, mergeMap, throwError } from 'rxjs';
import { reauthentication } from '~/session/reauthentication';

/** Repeats what needs a recent sign-in, once the person has signed in again. */
export const reauthenticate: ApolloLink = new ErrorLink(({ error, operation, forward }) => {
  const isAsked =
    CombinedGraphQLErrors.is(error) &&
    error.errors.some(({ extensions }) => extensions?.['code'] === 'REAUTHENTICATION_REQUIRED');
  if (!isAsked) return undefined;
  return from(reauthentication.ask()).pipe(
    mergeMap((confirmed) => (confirmed ? forward(operation) : throwError(() => error))),
  );
});
