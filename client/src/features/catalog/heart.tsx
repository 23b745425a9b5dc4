import { skipToken, useApolloClient } from '@apollo/client/react';
import { useSyncExternalStore } from 'react';
import { useUser } from '~/session/use-session';
import { HeartIcon } from '~/ui/icons';
import { useWishedQuery } from './heart.generated';
import styles from './heart.module.css';
import { wishes } from './wishes';

/** Whether a product is on the list: of the account, or for a visitor of this browser. */
function useWished(productId: string, colorId: string | undefined) {
  const user = useUser();
  const client = useApolloClient();
  const visitorIds = useSyncExternalStore(wishes.subscribe, wishes.read, wishes.none);
  const { data } = useWishedQuery(user ? {} : skipToken);
  const ids = user ? (data?.viewer?.wishlist.productIds ?? []) : visitorIds;
  const wished = ids.includes(productId);

  function toggle() {
    if (!user) wishes.toggle(productId, colorId);
    else void import('./wish').then(({ wish }) => wish(client, productId, !wished, colorId));
  }

  return { wished, toggle };
}

interface HeartProps {
  product: { id: string; name: string };
  /** The color in sight, in which the product is kept. */
  colorId: string | undefined;
  /** Placed in the corner of an image instead of beside text. */
  onPicture?: boolean;
}

/** Keeps a product on the wishlist, or takes it off. */
export function Heart({ product, colorId, onPicture }: HeartProps) {
  const { wished, toggle } = useWished(product.id, colorId);
  return (
    <button
      type="button"
      className={`${styles.heart} ${onPicture ? styles.onPicture : ''}`}
      aria-label={`Keep ${product.name} on the wishlist`}
      aria-pressed={wished}
      onClick={toggle}
    >
      <HeartIcon />
    </button>
  );
}
