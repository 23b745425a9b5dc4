import { NetworkStatus } from '@apollo/client';
import { texts } from '~/features/account/texts';
import { useMore } from '~/graphql/use-more';
import { useRefetchOnFocus } from '~/graphql/use-refetch-on-focus';
import { AccountOrdersDocument, type AccountOrdersQuery, useAccountOrdersQuery } from './account.generated';

const PAGE = 20;
const MOST = 100;
export const REFUND_POLL_MS = 3000;

type Order = NonNullable<AccountOrdersQuery['viewer']>['orders']['nodes'][number];

/** Whether the money of a canceled order has yet to go back, which takes seconds. */
export const awaitsRefund = ({ isCanceled, paymentStatus }: Order) =>
  isCanceled && (paymentStatus === 'PAID' || paymentStatus === 'PARTIALLY_REFUNDED');

/** The viewer's orders, newest first, a page at a time. */
export function useOrders() {
  const { client, data, error, refetch, fetchMore, networkStatus } = useAccountOrdersQuery({
    variables: { first: PAGE },
    fetchPolicy: 'cache-and-network',
  });
  const orders = data?.viewer?.orders;

  function fetchPage() {
    return fetchMore({
      variables: { first: PAGE, after: orders?.pageInfo.endCursor },
      updateQuery: (shown, { fetchMoreResult: { viewer } }) => {
        if (!shown.viewer || !viewer) return shown;
        const nodes = [...shown.viewer.orders.nodes, ...viewer.orders.nodes];
        return { ...shown, viewer: { ...viewer, orders: { ...viewer.orders, nodes } } };
      },
    });
  }
  const { more, refusal } = useMore(fetchPage, texts.moreFailed);

  // As many as are shown, written into the cache order by order: the pages that were fetched stay.
  function refresh() {
    const first = Math.min(MOST, Math.max(PAGE, orders?.nodes.length ?? 0));
    return client.query({ query: AccountOrdersDocument, variables: { first }, fetchPolicy: 'network-only' });
  }
  useRefetchOnFocus(refresh, orders?.nodes.some(awaitsRefund) ? REFUND_POLL_MS : undefined);

  return {
    orders,
    timeZone: data?.shop.timeZone,
    error,
    retry: () => void refetch(),
    moreRefused: refusal,
    more: orders?.pageInfo.hasNextPage ? more : undefined,
    loadingMore: networkStatus === NetworkStatus.fetchMore,
  };
}
