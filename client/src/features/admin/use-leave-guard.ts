import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useBlocker } from 'react-router';
import { useUnloadGuard } from '~/ui/use-unload-guard';

/**
 * While `active`, holds every way out of this page: the browser asks before the window closes; a link, a press or Back
 * waits in `leaving`, which goes on by `leave` and is forgotten by `stay`.
 */
export function useLeaveGuard(active: boolean) {
  const [agreed, setAgreed] = useState(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => active && currentLocation.pathname !== nextLocation.pathname,
  );
  useUnloadGuard(active && !agreed);

  function leave() {
    // The way may lead to another document, before which the browser would ask once more.
    flushSync(() => setAgreed(true));
    blocker.proceed?.();
  }

  return { leaving: blocker.state === 'blocked', leave, stay: () => blocker.reset?.() };
}
