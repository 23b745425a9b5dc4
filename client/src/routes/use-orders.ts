import { NetworkStatus } from '@apollo/client';
import { useAccountOrdersQuery } from './account.generated';

/** The viewer's orders, newest first, a page at a time. */
export function useOrders() {
  const { data, error, refetch, fetchMore, networkStatus } = useAccountOrdersQuery({
    variables: {},
    fetchPolicy: 'cache-and-network',
  });
  const orders = data?.viewer?.orders;

  function more() {
    void fetchMore({
      variables: { after: orders?.pageInfo.endCursor },
      updateQuery: (shown, { fetchMoreResult: { viewer } }) => {
        if (!shown.viewer || !viewer) return shown;
        const nodes = [...shown.viewer.orders.nodes, ...viewer.orders.nodes];
        return { viewer: { ...viewer, orders: { ...viewer.orders, nodes } } };
      },
    });
  }

  return {
    orders,
    error,
    retry: () => void refetch(),
    more: orders?.pageInfo.hasNextPage ? more : undefined,
    loadingMore: networkStatus === NetworkStatus.fetchMore,
  };
}
