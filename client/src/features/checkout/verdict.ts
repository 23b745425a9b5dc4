import { errorCode } from '~/graphql/settled';
import { texts } from './texts';

/** What the return page says about a payment. */
export interface Verdict {
  state: 'paid' | 'underWay' | 'refused';
  message: string;
  /** Why it failed, beside the message. */
  reason?: string;
  /** Where a failed payment is tried again. */
  back?: '/payment' | '/cart';
}

export const paid: Verdict = { state: 'paid', message: texts.orderConfirmed };
export const refused: Verdict = { state: 'refused', message: texts.tryAgain, back: '/cart' };
const unpaid: Verdict = { ...refused, reason: texts.notPaid, back: '/payment' };

export type Answer =
  | { __typename: 'CheckoutCompleted' }
  | {
      __typename: 'PaymentProcessing' | 'PaymentRefunded' | 'PaymentNotCompleted' | 'PaymentUnavailable';
      message: string;
    };

/** Whether a session needs no payment any more: it was paid, whatever became of what was bought. */
export function isSettled(answer: Answer | undefined): boolean {
  return !!answer && ['CheckoutCompleted', 'PaymentProcessing', 'PaymentRefunded'].includes(answer.__typename);
}

const saysNo = ['NOT_FOUND', 'BAD_USER_INPUT', 'FORBIDDEN'];

/**
 * Only the server's own no is a failed payment. Silence, a broken connection or a fault of ours is not: the payment
 * provider brings the shopper here after a payment and tells the shop about it a second time by itself.
 */
export function verdictOf(answer: Answer | undefined, error: unknown): Verdict {
  switch (answer?.__typename) {
    case 'CheckoutCompleted':
      return paid;
    case 'PaymentNotCompleted':
      return unpaid;
    case 'PaymentRefunded':
      return { state: 'refused', message: answer.message, back: '/cart' };
    case 'PaymentProcessing':
      return { state: 'underWay', message: answer.message };
    case 'PaymentUnavailable':
    case undefined:
      console.error('The order could not be confirmed from here.', answer?.message ?? error);
      return saysNo.includes(errorCode(error) ?? '') ? refused : paid;
  }
}
