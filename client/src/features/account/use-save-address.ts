import type { ApolloCache } from '@apollo/client';
import { useEffect, useRef } from 'react';
import { type CreateAddressMutation, useCreateAddressMutation, useUpdateAddressMutation } from './address.generated';
import type { AddressValues } from './rules';
import { storeAddresses } from './stored-addresses';
import { texts } from './texts';

/** How long the message is seen before the page changes. */
const REDIRECT_MS = 100;

type Result = CreateAddressMutation['createAddress'] | undefined;
type Saved = Extract<Result, { __typename: 'Addresses' }>;

function store(cache: ApolloCache, result: Result) {
  if (result?.__typename === 'Addresses') storeAddresses(cache, result.addresses);
}

/** How an address form saves the address with that id, or a new one; it goes on a moment later with the saved one's id. */
export function useSaveAddress(id: string | null, onSaved: (savedId: string | undefined) => void) {
  const [createAddress] = useCreateAddressMutation({ update: (cache, { data }) => store(cache, data?.createAddress) });
  const [updateAddress] = useUpdateAddressMutation({ update: (cache, { data }) => store(cache, data?.updateAddress) });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  return {
    send: async (input: AddressValues) =>
      id === null ? createAddress({ variables: { input } }) : updateAddress({ variables: { id, input } }),
    /** Resolves when the page changes, until when the form is saving. */
    onDone: ({ saved }: Saved) =>
      new Promise<void>((resolve) => {
        timer.current = setTimeout(() => {
          onSaved(saved?.id);
          resolve();
        }, REDIRECT_MS);
      }),
    success: id === null ? texts.addressAdded : texts.addressUpdated,
    otherwise: id === null ? texts.addFailed : texts.updateFailed,
  };
}

export type AddressSaving = ReturnType<typeof useSaveAddress>;
