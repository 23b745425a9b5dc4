import { useCallback, useEffect, useState } from 'react';

const LOADER_MS = 500;

/** After a tab switch something turns for 500 ms, or until the new picture is there. */
export function useTabLoader() {
  const [loading, setLoading] = useState(false);

  useEffect(() => {
    if (!loading) return;
    const timer = setTimeout(() => setLoading(false), LOADER_MS);
    return () => clearTimeout(timer);
  }, [loading]);

  return {
    loading,
    start: useCallback(() => setLoading(true), []),
    settle: useCallback(() => setLoading(false), []),
  };
}
