const listeners = new Set<() => void>();
let settle: ((confirmed: boolean) => void) | undefined;
let pending: Promise<boolean> | undefined;

function changed() {
  for (const listener of listeners) listener();
}

/** Asks the person to prove once more who they are. All requests that wait for it share one dialog. */
export const reauthentication = {
  /** True once it is proved, false when the person would rather not. */
  ask: (): Promise<boolean> => {
    pending ??= new Promise((resolve) => {
      settle = resolve;
    });
    changed();
    return pending;
  },
  isAsked: () => pending !== undefined,
  end: (confirmed: boolean) => {
    settle?.(confirmed);
    settle = pending = undefined;
    changed();
  },
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};
