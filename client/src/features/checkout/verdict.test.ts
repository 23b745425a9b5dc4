import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { verdictOf } from './verdict';

const graphQLError = (code: string) =>
  new CombinedGraphQLErrors({ errors: [{ message: 'No.', extensions: { code } }] });
const broken = new ServerError('Bad gateway', { response: new Response('', { status: 502 }), bodyText: '' });

const paid = { state: 'paid', message: 'Your order has been confirmed.' };
const refused = { state: 'refused', message: 'Please try again.', back: '/cart' };

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

describe('the verdict on a payment', () => {
  it('is paid when the order is there', () => {
    expect(verdictOf({ __typename: 'CheckoutCompleted' }, undefined)).toEqual(paid);
  });

  it('is refused when the session is not paid', () => {
    expect(verdictOf({ __typename: 'PaymentNotCompleted', message: 'Not paid.' }, undefined)).toEqual({
      ...refused,
      reason: 'Nothing was charged, and your cart is as it was.',
      back: '/payment',
    });
  });

  it('is under way, in the server’s words, while the money is', () => {
    const message = 'Your bank is still working on it. We will mail you.';

    expect(verdictOf({ __typename: 'PaymentProcessing', message }, undefined)).toEqual({ state: 'underWay', message });
  });

  it('says that the money goes back when the goods are gone', () => {
    const message = 'Sold out while you paid. The money goes back by itself.';

    expect(verdictOf({ __typename: 'PaymentRefunded', message }, undefined)).toEqual({
      state: 'refused',
      message,
      back: '/cart',
    });
  });

  // spec: errors.logged.confirmation
  it.each([
    ['the network broke', new TypeError('Failed to fetch')],
    ['the server answered 502', broken],
    ['the shop has a fault', graphQLError('INTERNAL')],
    ['the database is away', graphQLError('UNAVAILABLE')],
  ])('is paid, and only logged, when %s', (_, error) => {
    expect(verdictOf(undefined, error)).toEqual(paid);
    expect(console.error).toHaveBeenCalledOnce();
  });

  // spec: errors.logged.confirmation
  it('is paid, and only logged, when the payment provider does not answer', () => {
    expect(verdictOf({ __typename: 'PaymentUnavailable', message: 'Try later.' }, undefined)).toEqual(paid);
    expect(console.error).toHaveBeenCalledOnce();
  });

  it('is refused when the session does not exist or is somebody else’s', () => {
    expect(verdictOf(undefined, graphQLError('NOT_FOUND'))).toEqual(refused);
  });
});
