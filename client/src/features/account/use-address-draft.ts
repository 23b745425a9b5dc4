import { useState } from 'react';
import { addressDraft } from '~/session/address-draft';
import type { AddressValues } from './rules';
import type { AddressSaving } from './use-save-address';

/** What was typed before a reload, over the given beginning; values of another kind are left out. */
function restored(beginning: AddressValues, draft: unknown): AddressValues {
  if (typeof draft !== 'object' || draft === null) return beginning;
  const entries = Object.entries(draft).filter(
    ([name, value]) => name in beginning && typeof value === typeof beginning[name as keyof AddressValues],
  );
  return { ...beginning, ...Object.fromEntries(entries) };
}

/** What an AddressForm needs to survive a reload of its tab until it is saved or canceled; a null id is a new address. */
export function useAddressDraft(addressId: string | null, beginning: AddressValues, saving: AddressSaving) {
  const [values] = useState(() => restored(beginning, addressDraft.read(addressId)));

  return {
    values,
    onChange: (entered: AddressValues) => addressDraft.keep(addressId, entered),
    onCancel: addressDraft.drop,
    saving: {
      ...saving,
      onDone(...answer: Parameters<AddressSaving['onDone']>) {
        addressDraft.drop();
        return saving.onDone(...answer);
      },
    },
  };
}
