import { texts as ui } from '~/ui/texts';

/** Words that the catalogue says in more than one place. */
export const texts = {
  sale: ui.saleAndClearance,
  explore: 'Explore Collection',
  soldOut: 'Sold out',
  notFoundTitle: 'Product Not Found',
  notFoundText: ui.productMissing,
  productFailed: ui.productFailed,
  productsFailed: ui.productsFailed,
  mailFailed: 'That did not work. Please try again.',
  wishFailed: 'The wishlist could not be changed. Please try again.',
  wishlistFailed: 'Your wishlist could not be loaded.',
  wishes: 'What you keep an eye on',
  noWishes: 'Your wishlist is empty',
  continueShopping: ui.continueShopping,
} as const;
