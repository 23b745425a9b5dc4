import type { ComponentType } from 'react';
import type { Facet } from './facets';
import type { ListState } from './list-state';
import type { FacetsFragment } from './product-list.generated';

export interface PlainFiltersProps {
  list: ListState;
  facets: FacetsFragment | undefined;
  offered: readonly Facet[];
}

/** Filters and order for browsers without script. The server writes them; a browser with script sees none of it. */
export const PlainFilters: ComponentType<PlainFiltersProps> = () => <noscript />;
