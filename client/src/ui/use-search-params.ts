import { useCallback, useMemo } from 'react';
import { type NavigateOptions, useLocation, useNavigate } from 'react-router';

/** The address's query, and a way to another one. */
export function useSearchParams() {
  const { search } = useLocation();
  const navigate = useNavigate();
  const query = useMemo(() => new URLSearchParams(search), [search]);
  const setQuery = useCallback(
    (next: URLSearchParams | Record<string, string>, options?: NavigateOptions) => {
      void navigate(`?${new URLSearchParams(next).toString()}`, options);
    },
    [navigate],
  );
  return [query, setQuery] as const;
}
