/** Texts that cart, checkout, account, help and back office share; the letter is the specification's. */
export const texts = {
  noUndo: 'This action cannot be undone.',
  calculatedLater: 'Calculated at checkout',
  accountDetails: 'Account Details',
  orderHistory: 'Order History',
  saveChanges: 'Save Changes',
  savingChanges: 'Saving Changes ...',
  noProductName: 'Product Name Unavailable',
  noOrders: 'No orders found',
  noAddresses: 'No addresses found',
  orderSummary: 'Order Summary',
  paymentUnavailable: 'Unable to initialize payment',
  addressesFailed: 'Failed to fetch addresses',
  returnHome: 'Return to Home',
} as const;
