import { json, stored } from '~/ui/stored';
import { session } from './storage';

interface AddressDraft {
  userId?: string;
  addressId?: string | null;
  values?: unknown;
}

const isDraft = (value: unknown): value is AddressDraft => typeof value === 'object' && value !== null;

/** What was typed into the form for an address; of this tab, and of the user who typed it. */
const draft = stored('minimal:address-draft', json(isDraft));

/**
 * The form for an address, null being a new one, kept over a reload of its tab until it is saved, canceled or its user
 * signs out. The last one begun takes the place of those before it.
 */
export const addressDraft = {
  read(addressId: string | null): unknown {
    const { userId, addressId: of, values } = draft.read() ?? {};
    return userId === session.user()?.id && of === addressId ? values : undefined;
  },
  keep(addressId: string | null, values: unknown) {
    const userId = session.user()?.id;
    if (userId) draft.write({ userId, addressId, values });
  },
  drop: () => draft.write(null),
};
