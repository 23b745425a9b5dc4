import { startTransition, useMemo, useOptimistic, useRef } from 'react';
import type { ProductSort } from '~/graphql/schema.generated';
import { useSearchParams } from '~/ui/use-search-params';
import { type ListFilters, readFilters, withoutEmpty, writeFilters } from './list-filters';
import { SEARCH_SORTS, SORTS } from './sorts';

/** New values, or how they follow from what is chosen by then. */
export type FilterChange = ListFilters | ((now: ListFilters) => ListFilters);

/** The query string of a filtered list, in one fixed order, without what is left as it is. */
export function writeList(filters: ListFilters, sort: ProductSort, sorts = SORTS): URLSearchParams {
  const query = new URLSearchParams(writeFilters(filters));
  const slug = sorts.find(({ id }) => id === sort)?.slug;
  if (slug && sort !== sorts[0]?.id) query.set('sort', slug);
  return query;
}

/** The list's state as the address has it, and the ways to change it. A search has its words in the address as well. */
export function useListState({ ofSearch = false } = {}) {
  const [query, setQuery] = useSearchParams();
  const filters = useMemo(() => readFilters(query), [query]);
  const sorts = ofSearch ? SEARCH_SORTS : SORTS;
  const words = ofSearch ? query.get('q') : null;
  const sort = sorts.find(({ slug }) => slug === query.get('sort'))?.id ?? (ofSearch ? 'RELEVANCE' : 'FEATURED');
  const [chosen, choose] = useOptimistic(filters);
  // What was asked for since the address last changed: the next change is made on top of it.
  const pending = useRef<{ on: URLSearchParams; filters: ListFilters; sort: ProductSort } | null>(null);

  function write(narrowed: ListFilters, order: ProductSort) {
    const start: [string, string][] = words === null ? [] : [['q', words]];
    return new URLSearchParams([...start, ...writeList(narrowed, order, sorts)]);
  }

  function change(by: (now: ListFilters) => ListFilters, order?: ProductSort) {
    const now = pending.current?.on === query ? pending.current : { filters, sort };
    const next = { on: query, filters: withoutEmpty(by(now.filters)), sort: order ?? now.sort };
    pending.current = next;
    startTransition(() => {
      choose(next.filters);
      setQuery(write(next.filters, next.sort), { preventScrollReset: true });
    });
  }

  return {
    /** As the address and the list have them. */
    filters,
    /** As the shopper pressed them, while the list is still on its way. */
    chosen,
    sort,
    sorts,
    /** What is searched for; null in a list of a category. */
    words,
    after: query.get('after'),
    narrow: (part: FilterChange) => change((now) => ({ ...now, ...(typeof part === 'function' ? part(now) : part) })),
    clear: () => change(() => ({})),
    sortBy: (order: ProductSort) => change((now) => now, order),
    /** The cursor after which the list continues; null for its beginning. */
    linkFrom: (cursor: string | null) => {
      const next = write(filters, sort);
      if (cursor) next.set('after', cursor);
      return { search: next.toString() };
    },
  };
}

export type ListState = ReturnType<typeof useListState>;
