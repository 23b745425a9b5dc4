const KEY = 'minimal:wishlist';

/** As many as the shop takes over at sign-in. */
const KEPT = 200;

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The ids in a note of this browser; none in what somebody else wrote there. */
export function wishedIds(noted: string | null): readonly string[] {
  try {
    const ids: unknown = JSON.parse(noted ?? '[]');
    return Array.isArray(ids) ? [...new Set(ids.filter(isId))].slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

function noted(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

const listeners = new Set<() => void>();

function tell() {
  for (const listener of listeners) listener();
}

function write(ids: readonly string[]) {
  try {
    if (ids.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(ids));
  } catch {
    // A browser that forbids storage keeps no wishes.
  }
  tell();
}

// The server draws the screens too, without a window.
globalThis.window?.addEventListener('storage', ({ key }) => {
  if (key === KEY || key === null) tell();
});

/** What a visitor keeps an eye on: ids only, newest first, in all tabs of this browser. */
export const wishes = {
  noted,

  toggle(id: string) {
    const ids = wishedIds(noted());
    write(ids.includes(id) ? ids.filter((other) => other !== id) : [id, ...ids].slice(0, KEPT));
  },

  /** Products that are no longer sold, or that the account keeps from now on. */
  forget(gone: readonly string[]) {
    write(wishedIds(noted()).filter((id) => !gone.includes(id)));
  },

  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};
