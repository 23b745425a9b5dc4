import { stored } from '~/ui/stored';

const addressId = stored('checkoutAddressId');
const processedSessionId = stored('processedPaymentSessionId');

/** What the checkout remembers between its pages. */
export const checkoutMemory = {
  addressId: () => addressId.read(),
  setAddressId: (id: string | null) => addressId.write(id),
  processedSessionId: () => processedSessionId.read(),
  setProcessedSessionId: (id: string) => processedSessionId.write(id),
};
