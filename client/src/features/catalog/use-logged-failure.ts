import { useEffect } from 'react';

/** A failed search is nothing that a shopper could mend: nothing is shown of it. */
export function useLoggedFailure(error: unknown) {
  useEffect(() => {
    if (error) console.error('The search failed.', error);
  }, [error]);
}
