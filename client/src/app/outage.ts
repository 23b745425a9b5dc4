const listeners = new Set<() => void>();
let isAway: boolean | undefined;

/** How the server marks what it has kept from before its database went away. */
const saysStale = (timings: readonly PerformanceServerTiming[] = []) => timings.some(({ name }) => name === 'stale');

/** Whether the page itself came from what the shop knew a while ago. */
function cameStale(): boolean {
  if (!('getEntriesByType' in performance)) return false;
  return performance
    .getEntriesByType('navigation')
    .some((page: Partial<PerformanceNavigationTiming>) => saysStale(page.serverTiming));
}

function set(next: boolean) {
  if (next === outage.isAway()) return;
  isAway = next;
  for (const listener of listeners) listener();
}

/** Whether the shop can only show what it knew a while ago. */
export const outage = {
  isAway: () => (isAway ??= cameStale()),
  /** Derives it from a response of the server. */
  observe: ({ ok, status, headers }: Response) => {
    if (status === 503 || headers.get('server-timing')?.startsWith('stale')) set(true);
    else if (ok) set(false);
  },
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};
