import { useEffect } from 'react';
import { useLocation } from 'react-router';

interface Added {
  variantId: string;
  quantity: number;
}

function addedOnTheWay(state: unknown): Added | null {
  return typeof state === 'object' && state && 'added' in state ? (state.added as Added) : null;
}

/**
 * Calls back with what was added at a sign-in on the way here. The listener leaves the entry of the history without it,
 * so that it is told once.
 */
export function useArrival(arrived: (added: Added) => void) {
  const { state } = useLocation();
  useEffect(() => {
    const added = addedOnTheWay(state);
    if (added) arrived(added);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each arrival.
  }, [state]);
}
