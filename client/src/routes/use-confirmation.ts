import type { ApolloCache } from '@apollo/client';
import { useCallback } from 'react';
import type { OrderCardFragment } from '~/features/account/order.generated';
import { useCompleteCheckoutMutation } from '~/features/checkout/complete-checkout.generated';
import { toResult } from '~/graphql/settled';
import { checkoutMemory } from '~/session/checkout-memory';
import { AccountOrdersDocument } from './account.generated';

/** Puts a new order on top of the list, where the list has been seen already. */
function addToOrders(cache: ApolloCache, order: OrderCardFragment) {
  cache.updateQuery({ query: AccountOrdersDocument, variables: {} }, (shown) => {
    if (!shown?.viewer || shown.viewer.orders.nodes.some(({ id }) => id === order.id)) return shown;
    const { orders } = shown.viewer;
    const next = { ...orders, totalCount: orders.totalCount + 1, nodes: [order, ...orders.nodes] };
    return { ...shown, viewer: { ...shown.viewer, orders: next } };
  });
}

/** Asks how a payment session stands; a paid one becomes its order, and is remembered. */
export function useConfirmation() {
  const [completeCheckout] = useCompleteCheckoutMutation({
    update(cache, { data }) {
      if (data?.completeCheckout.__typename === 'CheckoutCompleted') addToOrders(cache, data.completeCheckout.order);
    },
  });

  return useCallback(
    async (sessionId: string) => {
      const { data, error } = await toResult(completeCheckout({ variables: { sessionId } }));
      const answer = data?.completeCheckout;
      if (answer?.__typename === 'CheckoutCompleted') checkoutMemory.setProcessedSessionId(sessionId);
      return { answer, error };
    },
    [completeCheckout],
  );
}
