import { texts as shared } from '~/ui/account-texts';
import { texts as ui } from '~/ui/texts';

/** What the shop says on the way from cart to order; the letter is the specification's. */
export const texts = {
  chooseAddress: 'Select Delivery Address',
  addAddress: 'Add New Address',
  summary: shared.orderSummary,
  chooseFirst: 'Choose an address',
  notDelivered: 'Not to this address',
  calculating: 'Calculating ...',
  quoteFailed: 'The delivery could not be calculated. Please try again.',
  pay: 'Proceed to Payment',
  addressMissing: 'Please select a delivery address',
  addressesFailed: shared.addressesFailed,

  payment: 'Payment Details',
  deliverTo: 'Deliver to',
  otherAddress: 'Change the address',
  preparing: ui.preparingCheckout,
  paymentFailed: shared.paymentUnavailable,
  returnHome: shared.returnHome,
  notStarted: 'The shop could not open a payment. Nothing was charged.',
  formFailed: 'The card form did not load. Nothing was charged.',

  confirming: 'Confirming your payment…',
  paid: 'Payment Successful!',
  orderConfirmed: 'Your order has been confirmed.',
  refused: 'Payment Failed',
  tryAgain: 'Please try again.',
  notPaid: 'Nothing was charged, and your cart is as it was.',
  backTo: { '/payment': 'Back to payment', '/cart': 'Back to the cart' },
  underWay: 'Payment Processing',
  viewOrders: 'View Orders',
  continueShopping: ui.continueShopping,
} as const;
