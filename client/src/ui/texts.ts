/** Texts that several parts of the first view share; the letter is the specification's. */
export const texts = {
  signIn: 'Sign In',
  viewAll: 'View All',
  continueShopping: 'Continue Shopping',
  wrong: 'Something went wrong',
  partFailed: 'This part of the page could not be loaded.',
  tryAgain: 'Try again',
  loadAgain: 'Load the page again',

  saleAndClearance: 'Sale & Clearance',
  addToCart: 'Add to Cart',
  preparingCheckout: 'Preparing Secure Checkout',

  productMissing: 'The product you are looking for does not exist.',
  productFailed: 'Failed to fetch product details',
  productsFailed: 'Error retrieving products',
} as const;
