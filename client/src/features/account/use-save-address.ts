import type { ApolloCache } from '@apollo/client';
import { useEffect, useRef } from 'react';
import { settled } from '~/graphql/settled';
import { toast } from '~/ui/toast';
import {
  type AddAddressMutation,
  type AddressFragment,
  useAddAddressMutation,
  useUpdateAddressMutation,
} from './address.generated';
import type { AddressField, AddressRefusal } from './address-form';
import { addressRules, type AddressValues } from './rules';
import { storeAddresses } from './stored-addresses';
import { texts } from './texts';

/** How long the message is seen before the page changes. */
const REDIRECT_MS = 100;

type Result = AddAddressMutation['addAddress'] | undefined;

function store(cache: ApolloCache, result: Result | null) {
  if (result?.__typename === 'Addresses') storeAddresses(cache, result.addresses);
}

function refusalOf(result: Result, failed: string): AddressRefusal {
  if (!result || result.__typename === 'Addresses') return { message: failed };
  if (result.__typename !== 'InvalidInput') return { message: result.message };
  const known = result.errors.filter(({ field }) => field in addressRules.entries);
  return { message: result.message, fields: known as { field: AddressField; message: string }[] };
}

/** Saves the address with that id, or a new one, and goes on a moment later. */
export function useSaveAddress(id: string | null, onSaved: (addresses: AddressFragment[]) => void) {
  const [addAddress] = useAddAddressMutation({ update: (cache, { data }) => store(cache, data?.addAddress) });
  const [updateAddress] = useUpdateAddressMutation({ update: (cache, { data }) => store(cache, data?.updateAddress) });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  async function ask(address: AddressValues): Promise<{ result?: Result; said?: string | undefined }> {
    if (id === null) {
      const { data, said } = await settled(addAddress({ variables: { address } }));
      return { result: data?.addAddress, said };
    }
    const { data, said } = await settled(updateAddress({ variables: { id, address } }));
    return { result: data?.updateAddress, said };
  }

  return async (address: AddressValues): Promise<AddressRefusal | null> => {
    const { result, said } = await ask(address);
    if (result?.__typename !== 'Addresses') {
      const refusal = refusalOf(result, said ?? (id === null ? texts.addFailed : texts.updateFailed));
      toast.error(refusal.message);
      return refusal;
    }
    toast.success(id === null ? texts.addressAdded : texts.addressUpdated);
    timer.current = setTimeout(() => onSaved(result.addresses), REDIRECT_MS);
    return null;
  };
}
