import { texts as ui } from '~/ui/texts';

/** What the shop says about the cart; the letter is the specification's. */
export const texts = {
  title: 'Shopping Cart',
  summary: ui.orderSummary,
  subtotal: 'Subtotal',
  shipping: 'Shipping',
  shippingLater: ui.calculatedLater,
  checkOut: 'Proceed to Checkout',
  empty: 'Your cart is empty',
  continueShopping: ui.continueShopping,
  failed: ui.paymentUnavailable,
  returnHome: ui.returnHome,

  add: ui.addToCart,
  adding: 'Adding ...',
  added: 'In your cart',
  soldOut: 'Sold out',
  itemRemoved: 'Item removed from cart',

  addFailed: 'Failed to add to cart',
  quantityFailed: 'Failed to update quantity',
  removeFailed: 'Failed to remove item',
  loadFailed: 'Failed to load cart items',
  nothingLost: 'Your cart is safe and nothing was charged.',
} as const;
