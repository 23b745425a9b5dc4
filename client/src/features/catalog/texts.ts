/** Words that the catalogue says in more than one place. */
export const texts = {
  soldOut: 'Sold out',
  notFoundTitle: 'Product Not Found',
  notFoundText: 'The product you are looking for does not exist.',
  productFailed: 'Failed to fetch product details',
  productsFailed: 'Error retrieving products',
  mailFailed: 'That did not work. Please try again.',
  wishFailed: 'The wishlist could not be changed. Please try again.',
  wishlistFailed: 'Your wishlist could not be loaded.',
  noWishes: 'Your wishlist is empty',
  continueShopping: 'Continue Shopping',
} as const;
