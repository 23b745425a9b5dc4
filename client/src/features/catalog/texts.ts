/** Words that the catalogue says in more than one place. */
export const texts = {
  soldOut: 'Sold out',
  notFoundTitle: 'Product Not Found',
  notFoundText: 'The product you are looking for does not exist.',
  productFailed: 'Failed to fetch product details',
  productsFailed: 'Error retrieving products',
  mailFailed: 'That did not work. Please try again.',
  continueShopping: 'Continue Shopping',
} as const;
