import { errorCode } from '~/graphql/settled';
import { texts } from './texts';

/** What the return page says about a payment. */
export interface Verdict {
  state: 'paid' | 'underWay' | 'refused';
  message: string;
}

export const paid: Verdict = { state: 'paid', message: texts.orderConfirmed };
export const refused: Verdict = { state: 'refused', message: texts.tryAgain };

type Answer =
  | { __typename: 'CheckoutCompleted' }
  | {
      __typename: 'PaymentProcessing' | 'PaymentRefunded' | 'PaymentNotCompleted' | 'PaymentUnavailable';
      message: string;
    };

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
      return refused;
    case 'PaymentRefunded':
      return { state: 'refused', message: answer.message };
    case 'PaymentProcessing':
      return { state: 'underWay', message: answer.message };
    case 'PaymentUnavailable':
    case undefined:
      console.error('The order could not be confirmed from here.', answer?.message ?? error);
      return saysNo.includes(errorCode(error) ?? '') ? refused : paid;
  }
}
