import type { FulfilmentStatus, PaymentStatus, RefundStatus, ReturnStatus } from '~/graphql/schema.generated';
import type { StatusMark } from '~/ui/status';

interface Shown {
  mark: StatusMark;
  words: string;
}

export const payments: Record<PaymentStatus, Shown> = {
  PAID: { mark: 'full', words: 'Paid' },
  PROCESSING: { mark: 'half', words: 'Processing' },
  FAILED: { mark: 'cross', words: 'Failed' },
  REFUNDED: { mark: 'empty', words: 'Refunded' },
  PARTIALLY_REFUNDED: { mark: 'broken', words: 'Partially refunded' },
};

export const fulfilments: Record<FulfilmentStatus, Shown> = {
  UNFULFILLED: { mark: 'empty', words: 'Not sent' },
  PARTLY_SHIPPED: { mark: 'broken', words: 'Partly sent' },
  SHIPPED: { mark: 'half', words: 'On its way' },
  DELIVERED: { mark: 'full', words: 'Delivered' },
  CANCELED: { mark: 'cross', words: 'Canceled' },
};

export const returns: Record<ReturnStatus, Shown> = {
  REQUESTED: { mark: 'empty', words: 'Asked for' },
  ACCEPTED: { mark: 'broken', words: 'Waits for the parcel' },
  REFUSED: { mark: 'cross', words: 'Refused' },
  CANCELED: { mark: 'cross', words: 'Ended with its order' },
  RECEIVED: { mark: 'half', words: 'Received' },
  REFUNDED: { mark: 'full', words: 'Refunded' },
};

export const refunds: Record<RefundStatus, Shown> = {
  PENDING: { mark: 'half', words: 'On its way' },
  SUCCEEDED: { mark: 'full', words: 'Paid back' },
  FAILED: { mark: 'cross', words: 'Failed' },
};
