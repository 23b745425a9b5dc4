import type { ApolloClient } from '@apollo/client';
import { toResult } from '~/graphql/settled';
import { toast } from '~/ui/toast';
import { WishedDocument } from './heart.generated';
import { texts } from './texts';
import { AddToWishlistDocument, RemoveFromWishlistDocument } from './wish.generated';

/** The list as it will be, when it is known already. */
function expected(client: ApolloClient, productId: string, isWished: boolean) {
  const wishlist = client.readQuery({ query: WishedDocument })?.viewer?.wishlist;
  if (!wishlist) return undefined;
  const others = wishlist.productIds.filter((id) => id !== productId);
  const productIds = isWished ? [productId, ...others] : others;
  return { __typename: 'Wishlist' as const, id: wishlist.id, count: productIds.length, productIds };
}

async function add(client: ApolloClient, productId: string, colorId: string | undefined) {
  const list = expected(client, productId, true);
  const { data, message } = await toResult(
    client.mutate({
      mutation: AddToWishlistDocument,
      variables: { productId, colorId },
      ...(list && { optimisticResponse: { addToWishlist: list } }),
    }),
  );
  const result = data?.addToWishlist;
  if (result?.__typename !== 'Wishlist') toast.error(result?.message ?? message ?? texts.wishFailed);
}

async function remove(client: ApolloClient, productId: string) {
  const list = expected(client, productId, false);
  const { data, message } = await toResult(
    client.mutate({
      mutation: RemoveFromWishlistDocument,
      variables: { productId },
      ...(list && { optimisticResponse: { removeFromWishlist: list } }),
    }),
  );
  if (!data) toast.error(message ?? texts.wishFailed);
}

/**
 * Puts a product on the account's wishlist, in a color, or takes it off; seen at once, and taken back when the server
 * refuses.
 */
export function wish(client: ApolloClient, productId: string, isWished: boolean, colorId?: string): Promise<void> {
  return isWished ? add(client, productId, colorId) : remove(client, productId);
}
