import { startTransition, useMemo, useOptimistic, useRef } from 'react';
import type { ProductFilter, ProductSort, Size } from '~/graphql/schema.generated';
import { SEARCH_SORTS, SIZES, SORTS } from '~/graphql/catalogue';
import { parseAmount } from '~/ui/amount';
import { useSearchParams } from '~/ui/use-search-params';

/** A list's filters and order; all of them are in the URL. */
export interface Narrowing {
  sizes: Size[];
  colors: string[];
  priceFrom: string | null;
  priceTo: string | null;
  inStock: boolean;
  onSale: boolean;
}

/** New values, or how they follow from what is chosen by then. */
export type NarrowingChange = Partial<Narrowing> | ((now: Narrowing) => Partial<Narrowing>);

export const everything: Narrowing = {
  sizes: [],
  colors: [],
  priceFrom: null,
  priceTo: null,
  inStock: false,
  onSale: false,
};

/** With commas between them as the page writes them, or one after the other as a plain form does. */
const words = (values: readonly string[]) => values.flatMap((value) => value.split(',').filter(Boolean));
/** As the address has it: "12.50", or "12" for whole dollars. */
export const amount = (value: string | null) => parseAmount(value ?? '').value?.replace(/\.00$/, '') ?? null;

export function readNarrowing(query: URLSearchParams): Narrowing {
  return {
    sizes: SIZES.filter((size) => words(query.getAll('size')).includes(size)),
    colors: words(query.getAll('color')),
    priceFrom: amount(query.get('from')),
    priceTo: amount(query.get('to')),
    inStock: query.get('stock') === 'in',
    onSale: query.get('sale') === 'on',
  };
}

/** The query string of a narrowed list, in one fixed order, without what is left as it is. */
export function writeList(narrowing: Narrowing, sort: ProductSort, sorts = SORTS): URLSearchParams {
  const query = new URLSearchParams();
  if (narrowing.sizes.length > 0) query.set('size', narrowing.sizes.join(','));
  if (narrowing.colors.length > 0) query.set('color', narrowing.colors.join(','));
  if (narrowing.priceFrom) query.set('from', narrowing.priceFrom);
  if (narrowing.priceTo) query.set('to', narrowing.priceTo);
  if (narrowing.inStock) query.set('stock', 'in');
  if (narrowing.onSale) query.set('sale', 'on');
  const slug = sorts.find(({ id }) => id === sort)?.slug;
  if (slug && sort !== sorts[0]?.id) query.set('sort', slug);
  return query;
}

/** The schema's filter: the page's own part and the shopper's. */
export function toFilter(page: ProductFilter, narrowing: Narrowing): ProductFilter {
  const filter: ProductFilter = { ...page };
  if (narrowing.sizes.length > 0) filter.sizes = narrowing.sizes;
  if (narrowing.colors.length > 0) filter.colors = narrowing.colors;
  if (narrowing.priceFrom) filter.priceFrom = narrowing.priceFrom;
  if (narrowing.priceTo) filter.priceTo = narrowing.priceTo;
  if (narrowing.inStock) filter.inStock = true;
  if (narrowing.onSale) filter.onSale = true;
  return filter;
}

/** How many choices narrow the list; a price range is one. */
export function countChoices(narrowing: Narrowing): number {
  const flags = [narrowing.priceFrom !== null || narrowing.priceTo !== null, narrowing.inStock, narrowing.onSale];
  return narrowing.sizes.length + narrowing.colors.length + flags.filter(Boolean).length;
}

/** The list's state as the address has it, and the ways to change it. A search has its words in the address as well. */
export function useListState({ ofSearch = false } = {}) {
  const [query, setQuery] = useSearchParams();
  const narrowing = useMemo(() => readNarrowing(query), [query]);
  const sorts = ofSearch ? SEARCH_SORTS : SORTS;
  const words = ofSearch ? query.get('q') : null;
  const sort = sorts.find(({ slug }) => slug === query.get('sort'))?.id ?? (ofSearch ? 'RELEVANCE' : 'FEATURED');
  const [chosen, choose] = useOptimistic(narrowing);
  // What was asked for since the address last changed: the next change is made on top of it.
  const pending = useRef<{ on: URLSearchParams; narrowing: Narrowing; sort: ProductSort } | null>(null);

  function write(narrowed: Narrowing, order: ProductSort) {
    const start: [string, string][] = words === null ? [] : [['q', words]];
    return new URLSearchParams([...start, ...writeList(narrowed, order, sorts)]);
  }

  function change(by: (now: Narrowing) => Narrowing, order?: ProductSort) {
    const now = pending.current?.on === query ? pending.current : { narrowing, sort };
    const next = { on: query, narrowing: by(now.narrowing), sort: order ?? now.sort };
    pending.current = next;
    startTransition(() => {
      choose(next.narrowing);
      setQuery(write(next.narrowing, next.sort), { preventScrollReset: true });
    });
  }

  return {
    /** As the address and the list have it. */
    narrowing,
    /** As the shopper pressed it, while the list is still on its way. */
    chosen,
    sort,
    sorts,
    /** What is searched for; null in a list of a category. */
    words,
    after: query.get('after'),
    narrow: (part: NarrowingChange) =>
      change((now) => ({ ...now, ...(typeof part === 'function' ? part(now) : part) })),
    clear: () => change(() => everything),
    sortBy: (order: ProductSort) => change((now) => now, order),
    /** The cursor after which the list continues; null for its beginning. */
    linkFrom: (cursor: string | null) => {
      const next = write(narrowing, sort);
      if (cursor) next.set('after', cursor);
      return { search: next.toString() };
    },
  };
}

export type ListState = ReturnType<typeof useListState>;
