import { useEffect, useRef } from 'react';

const BLOB = 'blob:';

/** Revokes object URLs once they are no longer among `urls`; those that are left, with the component unless `kept`. */
export function useObjectUrls(urls: readonly string[], { kept = false } = {}) {
  const lastUrls = useRef<ReadonlySet<string>>(new Set());
  const mounted = useRef(false);

  useEffect(() => {
    const now = new Set(urls.filter((url) => url.startsWith(BLOB)));
    for (const url of lastUrls.current) if (!now.has(url)) URL.revokeObjectURL(url);
    lastUrls.current = now;
  }, [urls]);

  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
      // In development React mounts each component twice: only one that stays away has ended.
      setTimeout(() => {
        if (!mounted.current && !kept) lastUrls.current.forEach((url) => URL.revokeObjectURL(url));
      });
    };
  }, [kept]);
}
