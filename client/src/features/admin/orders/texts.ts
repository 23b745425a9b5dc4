import { texts as ui } from '~/ui/texts';

/** What the back office says about orders. */
export const texts = {
  ordersFailed: 'Error retrieving orders',
  orderFailed: 'Error retrieving the order',
  troublesFailed: 'Error retrieving payments',
  noOrder: 'There is no such order.',
  noOrders: 'No orders match.',
  noTroubles: 'Every payment is as it should be.',
  noName: ui.noProductName,
  noNotes: 'No notes yet.',

  sent: 'Sent. The buyer gets a mail.',
  corrected: 'Parcel corrected',
  delivered: 'Marked as delivered',
  refunded: 'Refund asked for. A mail follows when it has left.',
  calledOff: 'Done. No money goes back.',
  returnClosed: 'Return closed. No money goes back.',
  canceled: 'Order canceled',
  accepted: 'Return accepted. The buyer gets a mail.',
  refused: 'Return refused. The buyer gets a mail.',
  received: 'Return received. The buyer gets a mail.',
  retried: 'Asked for once more',
  closed: 'Closed',
  noted: 'Note added',

  sendFailed: 'The order could not be sent. Please try again.',
  refundFailed: 'The refund could not be asked for. Please try again.',
  cancelFailed: 'The order could not be canceled. Please try again.',
  returnFailed: 'The return could not be changed. Please try again.',
  noteFailed: 'The note could not be added. Please try again.',
  changeFailed: 'That could not be done. Please try again.',

  privateNotes: 'Only admins see notes; the buyer never does.',
  notPaidHere: 'Nothing of this order can be paid back here.',
  noAmount: 'Enter an amount such as 19.90',
  nothingToPay: 'There is nothing to pay back for this.',
  noMoney: 'No money goes back.',
  lost: 'This cannot be undone.',
  notNow: 'Not now',
} as const;
