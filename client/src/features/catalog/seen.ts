const KEY = 'minimal:recently-viewed';
const KEPT = 12;

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The ids in a note of this browser; none in what somebody else wrote there. */
export function idsOf(noted: string | null): readonly string[] {
  try {
    const ids: unknown = JSON.parse(noted ?? '[]');
    return Array.isArray(ids) ? ids.filter(isId).slice(0, KEPT) : [];
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

function write(ids: readonly string[]) {
  try {
    localStorage.setItem(KEY, JSON.stringify(ids));
  } catch {
    // A browser that forbids storage has seen nothing.
  }
  for (const listener of listeners) listener();
}

/** Products whose pages this browser has shown: ids only, newest first, at most twelve. The list never leaves it. */
export const seen = {
  noted,

  add(id: string) {
    write([id, ...idsOf(noted()).filter((other) => other !== id)].slice(0, KEPT));
  },

  /** Products that are no longer sold. */
  forget(gone: readonly string[]) {
    write(idsOf(noted()).filter((id) => !gone.includes(id)));
  },

  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};
