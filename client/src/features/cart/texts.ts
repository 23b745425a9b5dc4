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
  addedPieces: (piece: string, quantity: number) =>
    `Added to your cart: ${quantity > 1 ? `${quantity} x ` : ''}${piece}`,
  viewCart: 'View cart',
  itemRemoved: 'Item removed from cart',
  removedPiece: (piece: string) => `Removed: ${piece}`,
  undo: 'Undo',

  code: 'Discount code',
  codeApply: 'Apply',
  codeChecking: 'Checking ...',
  codeMissing: 'Please enter a code',
  codeFailed: 'The code could not be checked. Please try again.',
  codeNotRemoved: 'The code could not be removed. Please try again.',
  discount: 'Discount',

  addFailed: 'Failed to add to cart',
  quantityFailed: 'Failed to update quantity',
  removeFailed: 'Failed to remove item',
  loadFailed: 'Failed to load cart items',
  nothingLost: 'Your cart is safe and nothing was charged.',
} as const;
