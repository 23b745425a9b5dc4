import { skipToken } from '@apollo/client/react';
import { useDeferredValue, useEffect, useState } from 'react';
import { MIN_LETTERS } from './search-query';
import { useSearchQuery } from './search.generated';
import { useLoggedFailure } from './use-logged-failure';

const REST_MS = 150;

/** What is asked for once the typing rests. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

/** The products that a query finds; nothing for fewer than two letters. A failure is only logged. */
export function useSearch(text: string, first: number) {
  const query = useDeferredValue(useRested(text.trim()));
  const asked = query.length >= MIN_LETTERS && text.trim().length >= MIN_LETTERS;
  const { data, previousData, error, loading } = useSearchQuery(asked ? { variables: { query, first } } : skipToken);

  useLoggedFailure(error);

  return { query, loading, results: asked && !error ? (data ?? previousData)?.search : undefined };
}
