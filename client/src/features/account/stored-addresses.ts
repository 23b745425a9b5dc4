import type { ApolloCache } from '@apollo/client';
import { session } from '~/session/storage';
import type { AddressFragment } from './address.generated';

/** Makes the viewer's addresses the ones that the server answered with, on every screen that shows them. */
export function storeAddresses(cache: ApolloCache, addresses: readonly AddressFragment[]): void {
  const id = cache.identify({ __typename: 'Viewer', id: session.user()?.id });
  if (!id) return;
  cache.modify({ id, fields: { addresses: (_, { toReference }) => addresses.map((address) => toReference(address)) } });
}
