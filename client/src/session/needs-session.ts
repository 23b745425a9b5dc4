import { useEffect } from 'react';

let screens = 0;

/** Whether the screen that is shown needs a session. */
export const needsSession = () => screens > 0;

/** Marks the screen as one that needs a session, while it is shown. */
export function useNeedsSession() {
  useEffect(() => {
    screens += 1;
    return () => {
      screens -= 1;
    };
  }, []);
}
