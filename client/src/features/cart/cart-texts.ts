import { texts as shared } from '~/ui/account-texts';
import { texts as ui } from '~/ui/texts';

/** What the cart's own screen says; the letter is the specification's. */
export const texts = {
  title: 'Shopping Cart',
  summary: shared.orderSummary,
  subtotal: 'Subtotal',
  shipping: 'Shipping',
  shippingLater: shared.calculatedLater,
  checkOut: 'Proceed to Checkout',
  empty: 'Your cart is empty',
  continueShopping: ui.continueShopping,
  failed: shared.paymentUnavailable,
  returnHome: shared.returnHome,
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
  quantityFailed: 'Failed to update quantity',
  removeFailed: 'Failed to remove item',
  loadFailed: 'Failed to load cart items',
  nothingLost: 'Your cart is safe and nothing was charged.',
} as const;
