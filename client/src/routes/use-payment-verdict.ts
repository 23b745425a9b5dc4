import type { ApolloCache } from '@apollo/client';
import { useEffect, useRef, useState } from 'react';
import type { OrderCardFragment } from '~/features/account/order.generated';
import { paid, refused, type Verdict, verdictOf } from '~/features/checkout/verdict';
import { toResult } from '~/graphql/settled';
import { checkoutMemory } from '~/session/storage';
import { AccountOrdersDocument } from './account.generated';
import { useCompleteCheckoutMutation } from '~/features/checkout/complete-checkout.generated';

const CONFIRM_AFTER_MS = 100;

/** Puts a new order on top of the list, where the list has been seen already. */
function addToOrders(cache: ApolloCache, order: OrderCardFragment) {
  cache.updateQuery({ query: AccountOrdersDocument, variables: {} }, (shown) => {
    if (!shown?.viewer || shown.viewer.orders.nodes.some(({ id }) => id === order.id)) return shown;
    const { orders } = shown.viewer;
    const next = { ...orders, totalCount: orders.totalCount + 1, nodes: [order, ...orders.nodes] };
    return { viewer: { ...shown.viewer, orders: next } };
  });
}

function alreadyKnown(sessionId: string | null): Verdict | null {
  if (!sessionId) return refused;
  return checkoutMemory.processedSessionId() === sessionId ? paid : null;
}

/** Confirms the order of a payment session, once; null until it is known how it went. */
export function usePaymentVerdict(sessionId: string | null): Verdict | null {
  const [verdict, setVerdict] = useState(() => alreadyKnown(sessionId));
  const [completeCheckout] = useCompleteCheckoutMutation({
    update(cache, { data }) {
      if (data?.completeCheckout.__typename === 'CheckoutCompleted') addToOrders(cache, data.completeCheckout.order);
    },
  });
  const isConfirmed = useRef(verdict !== null);

  useEffect(() => {
    if (isConfirmed.current || !sessionId) return;
    const timer = setTimeout(async () => {
      isConfirmed.current = true;
      const { data, error } = await toResult(completeCheckout({ variables: { sessionId } }));
      if (data?.completeCheckout.__typename === 'CheckoutCompleted') checkoutMemory.setProcessedSessionId(sessionId);
      setVerdict(verdictOf(data?.completeCheckout, error));
    }, CONFIRM_AFTER_MS);
    return () => clearTimeout(timer);
  }, [completeCheckout, sessionId]);

  return verdict;
}
