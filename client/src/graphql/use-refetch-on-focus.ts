import { useEffect, useRef } from 'react';

const LEAST_MS = 2000;
const MOST_POLLS = 20;

const isSeen = () => document.visibilityState === 'visible';

/**
 * Asks again when the page is looked at again, and every `pollMs` while it is, twenty times at most: for what changes
 * by itself within seconds. A page that could not be asked again keeps what it shows until the next time.
 */
export function useRefetchOnFocus(refetch: () => Promise<unknown>, pollMs?: number): void {
  const latest = useRef(refetch);
  useEffect(() => {
    latest.current = refetch;
  });

  useEffect(() => {
    let last = 0;
    // A window that comes to the front reports both at once.
    function look() {
      if (!isSeen() || Date.now() - last < LEAST_MS) return;
      last = Date.now();
      void latest.current().catch(() => undefined);
    }
    window.addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);

  useEffect(() => {
    if (!pollMs) return undefined;
    let polls = 0;
    const timer = setInterval(() => {
      if (isSeen()) void latest.current().catch(() => undefined);
      polls += 1;
      if (polls >= MOST_POLLS) clearInterval(timer);
    }, pollMs);
    return () => clearInterval(timer);
  }, [pollMs]);
}
