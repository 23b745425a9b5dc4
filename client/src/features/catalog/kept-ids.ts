import { type Key, stored } from '~/ui/stored';

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Ids of products that this browser keeps for itself: newest first, none twice, at most so many. */
export function keptIds(key: Key, most: number) {
  const kept = stored(key);

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
    kept.write(ids.length === 0 ? null : JSON.stringify(ids.slice(0, most)));
  }

  return {
    /** The stored string, not parsed: identical while nothing changes. */
    noted: kept.read,
    idsOf,

    /** Puts one first, wherever it was. */
    add(id: string) {
      write([id, ...idsOf(kept.read()).filter((other) => other !== id)]);
    },

    forget(gone: readonly string[]) {
      write(idsOf(kept.read()).filter((id) => !gone.includes(id)));
    },

    subscribe: kept.subscribe,
  };
}
