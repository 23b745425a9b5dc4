import { skipToken } from '@apollo/client/react';
import { useEffect } from 'react';
import { useUser } from '~/session/use-session';
import { useCartCountQuery } from './cart-count.generated';

/** The number of lines in the cart; none for a visitor. */
export function CartCount() {
  const user = useUser();
  const { data, error } = useCartCountQuery(user ? undefined : skipToken);

  useEffect(() => {
    if (error) console.error('The cart did not load.', error);
  }, [error]);

  const count = data?.viewer?.cart.count ?? 0;
  return (
    <>
      {count}
      <span className="visually-hidden">{count === 1 ? ' item' : ' items'}</span>
    </>
  );
}
