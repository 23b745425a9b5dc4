import type { ApolloCache } from '@apollo/client';
import { useEffect, useRef } from 'react';
import {
  type AddAddressMutation,
  type AddressFragment,
  useAddAddressMutation,
  useUpdateAddressMutation,
} from './address.generated';
import type { AddressValues } from './rules';
import { storeAddresses } from './stored-addresses';
import { texts } from './texts';

/** How long the message is seen before the page changes. */
const REDIRECT_MS = 100;

type Result = AddAddressMutation['addAddress'] | undefined;

function store(cache: ApolloCache, result: Result) {
  if (result?.__typename === 'Addresses') storeAddresses(cache, result.addresses);
}

/** How an address form saves the address with that id, or a new one; it goes on a moment later. */
export function useSaveAddress(id: string | null, onSaved: (addresses: AddressFragment[]) => void) {
  const [addAddress] = useAddAddressMutation({ update: (cache, { data }) => store(cache, data?.addAddress) });
  const [updateAddress] = useUpdateAddressMutation({ update: (cache, { data }) => store(cache, data?.updateAddress) });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  return {
    send: async (address: AddressValues) =>
      id === null ? addAddress({ variables: { address } }) : updateAddress({ variables: { id, address } }),
    /** Resolves when the page changes, until when the form is saving. */
    onDone: ({ addresses }: { addresses: AddressFragment[] }) =>
      new Promise<void>((resolve) => {
        timer.current = setTimeout(() => {
          onSaved(addresses);
          resolve();
        }, REDIRECT_MS);
      }),
    success: id === null ? texts.addressAdded : texts.addressUpdated,
    otherwise: id === null ? texts.addFailed : texts.updateFailed,
  };
}

export type AddressSaving = ReturnType<typeof useSaveAddress>;
