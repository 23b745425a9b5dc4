/** What more than one room of the shop says; the letter is the specification's. */
export const texts = {
  signIn: 'Sign In',
  viewAll: 'View All',
  continueShopping: 'Continue Shopping',
  returnHome: 'Return to Home',
  wrong: 'Something went wrong',
  noUndo: 'This action cannot be undone.',

  orderSummary: 'Order Summary',
  paymentUnavailable: 'Unable to initialize payment',
  productsFailed: 'Error retrieving products',
  addressesFailed: 'Failed to fetch addresses',
} as const;
