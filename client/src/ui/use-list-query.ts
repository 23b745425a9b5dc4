import { useRef } from 'react';
import { useLocation } from 'react-router';
import { useSearchParams } from './use-search-params';

const AFTER = 'after';
const PAGE = 'page';

interface Trail {
  /** Cursors of the pages before this one; the first page has none. */
  trail?: readonly string[];
}

export interface ListQuery<Values extends Record<string, string>> {
  /** What the address says, or else the given beginning. */
  values: Values;
  /** Whether any value is not the given beginning. */
  isNarrowed: boolean;
  /** Changes some values and goes back to the first page; the entry in the browser's history is replaced. */
  set: (changes: Partial<Values>) => void;
  /** Cursor behind which the page begins; null on the first. */
  after: string | null;
  /** Counted from 1. */
  page: number;
  /** Where a link to the page behind a cursor leads. */
  next: (cursor: string) => { to: string; state: Trail };
  /** Where a link to the page before this one leads; null on the first. */
  previous: { to: string; state: Trail } | null;
}

/**
 * Search, filters, sort and page of a list, kept in the address, so that a list can be reloaded, shared and gone back
 * to. `beginning` names every value with what holds while the address does not name it; other parameters stay.
 */
export function useListQuery<Values extends Record<string, string>>(beginning: Values): ListQuery<Values> {
  const [query, setQuery] = useSearchParams();
  const location = useLocation();
  const { trail = [] } = (location.state ?? {}) as Trail;
  const names = Object.keys(beginning) as (keyof Values & string)[];
  const values = Object.fromEntries(names.map((name) => [name, query.get(name) ?? beginning[name]])) as Values;
  const after = query.get(AFTER);
  const page = after === null ? 1 : Math.max(2, Number(query.get(PAGE)) || 2);

  // What was set a moment ago and has not come back as the address yet: the next change is made on top of it.
  const pending = useRef<{ on: URLSearchParams; next: URLSearchParams } | null>(null);

  function written(from: URLSearchParams, changes: Partial<Values>) {
    const next = new URLSearchParams(from);
    for (const name of [AFTER, PAGE, ...names]) next.delete(name);
    for (const name of names) {
      const value = changes[name] ?? from.get(name);
      if (value !== null && value !== beginning[name]) next.set(name, value);
    }
    return next;
  }

  function pageAt(cursor: string | undefined, number: number, state: Trail) {
    const next = written(query, {});
    if (cursor) {
      next.set(AFTER, cursor);
      next.set(PAGE, String(number));
    }
    return { to: `${location.pathname}?${next}`, state };
  }

  return {
    values,
    isNarrowed: names.some((name) => values[name] !== beginning[name]),
    set: (changes) => {
      const next = written(pending.current?.on === query ? pending.current.next : query, changes);
      pending.current = { on: query, next };
      setQuery(next, { replace: true });
    },
    after,
    page,
    next: (cursor) => pageAt(cursor, page + 1, { trail: after === null ? [] : [...trail, after] }),
    previous: after === null ? null : pageAt(trail.at(-1), page - 1, { trail: trail.slice(0, -1) }),
  };
}
