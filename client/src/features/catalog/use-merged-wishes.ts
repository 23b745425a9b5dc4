import { useEffect } from 'react';
import { toResult } from '~/graphql/settled';
import { useMergeWishlistMutation } from './merge-wishes.generated';
import { wishedColors, wishes } from './wishes';

/** Hands what a visitor kept in this browser to the account that has signed in; kept for the next try if that fails. */
export function useMergedWishes(userId: string | undefined) {
  const [mergeWishlist] = useMergeWishlistMutation();

  useEffect(() => {
    const productIds = [...wishes.read()];
    const colorIds = [...wishedColors.read()];
    if (!userId || productIds.length === 0) return;
    void toResult(mergeWishlist({ variables: { productIds, colorIds } })).then(({ data }) => {
      if (!data) return;
      wishes.forget(productIds);
      wishedColors.forget(colorIds);
    });
  }, [mergeWishlist, userId]);
}
