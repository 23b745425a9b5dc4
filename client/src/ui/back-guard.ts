type Heard = (event: PopStateEvent) => void;

let holder: Heard | null = null;

// A window's listeners are called in the order in which they came: whoever wants to keep Back from the router has to
// be there before it, which is why main.tsx imports this file first.
if (typeof window !== 'undefined') window.addEventListener('popstate', (event) => holder?.(event));

/** Hears of Back and Forward before the router does, until the answer is called. One at a time. */
export function hearBackFirst(heard: Heard): () => void {
  holder = heard;
  return () => {
    if (holder === heard) holder = null;
  };
}
