import { useEffect, useRef } from 'react';
import { session } from '~/session/storage';
import { useUser } from '~/session/use-session';
import { emptyProduct, type ProductValues } from './product-rules';

let kept: { userId: string; values: ProductValues } | null = null;

session.subscribe(() => {
  if (kept?.userId !== session.user()?.id) kept = null;
});

/**
 * What was entered into the form for a new product stays in memory while its admin is elsewhere in the back office:
 * pictures cannot be kept in an address or in storage.
 */
export function useKeptDraft() {
  const userId = useUser()?.id;
  const current = useRef<{ values: () => ProductValues; done: boolean }>({ values: () => emptyProduct, done: false });

  useEffect(() => {
    const form = current.current;
    return () => {
      if (userId && !form.done) kept = { userId, values: form.values() };
    };
  }, [userId]);

  return {
    initial: kept?.userId === userId && kept ? kept.values : emptyProduct,
    follow: (values: () => ProductValues) => {
      current.current.values = values;
    },
    forget: () => {
      current.current.done = true;
      kept = null;
    },
  };
}
