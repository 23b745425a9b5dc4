import { texts as ui } from '~/ui/texts';

/** What stands at adding to the cart, beside a product; the letter is the specification's. */
export const texts = {
  add: ui.addToCart,
  adding: 'Adding ...',
  added: 'In your cart',
  soldOut: 'Sold out',
  addFailed: 'Failed to add to cart',
} as const;
