import { useEffect } from 'react';

let screens = 0;

/** Whether the screen that is shown needs a session. */
export const needsSession = () => screens > 0;

/** Marks the screen as one that needs a session, while it is shown; not one that a sign-in comes back to. */
export function useNeedsSession(comesBack = false) {
  useEffect(() => {
    if (comesBack) return undefined;
    screens += 1;
    return () => {
      screens -= 1;
    };
  }, [comesBack]);
}
