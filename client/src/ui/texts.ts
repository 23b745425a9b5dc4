/** What more than one room of the shop says; the letter is the specification's. */
export const texts = {
  signIn: 'Sign In',
  viewAll: 'View All',
  continueShopping: 'Continue Shopping',
  returnHome: 'Return to Home',
  wrong: 'Something went wrong',
  noUndo: 'This action cannot be undone.',

  saleAndClearance: 'Sale & Clearance',
  addToCart: 'Add to Cart',
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
  productMissing: 'The product you are looking for does not exist.',
  productFailed: 'Failed to fetch product details',
  productsFailed: 'Error retrieving products',
  addressesFailed: 'Failed to fetch addresses',
} as const;
