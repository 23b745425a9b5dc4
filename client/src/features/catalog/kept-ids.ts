function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Ids of products that this browser keeps for itself: newest first, none twice, at most so many. */
export function keptIds(key: string, most: number) {
  const listeners = new Set<() => void>();

  function tell() {
    for (const listener of listeners) listener();
  }

  function noted(): string | null {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  }

  /** The ids in this browser's storage; none when it holds anything else. */
  function idsOf(note: string | null): readonly string[] {
    try {
      const ids: unknown = JSON.parse(note ?? '[]');
      return Array.isArray(ids) ? [...new Set(ids.filter(isId))].slice(0, most) : [];
    } catch {
      return [];
    }
  }

  function write(ids: readonly string[]) {
    try {
      if (ids.length === 0) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify(ids.slice(0, most)));
    } catch {
      // A browser that forbids storage keeps nothing.
    }
    tell();
  }

  return {
    /** The stored string, not parsed: identical while nothing changes. */
    noted,
    idsOf,

    /** Puts one first, wherever it was. */
    add(id: string) {
      write([id, ...idsOf(noted()).filter((other) => other !== id)]);
    },

    forget(gone: readonly string[]) {
      write(idsOf(noted()).filter((id) => !gone.includes(id)));
    },

    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },

    /** Has everybody look again. */
    tell,
  };
}
