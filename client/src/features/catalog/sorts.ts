import { NEWEST, type Order } from '~/graphql/catalogue';

/** Orders of a list; its first one is taken when the address names none. */
export const SORTS: readonly Order[] = [
  { id: 'FEATURED', slug: 'featured', label: 'Featured' },
  NEWEST,
  { id: 'PRICE_ASCENDING', slug: 'price', label: 'Price, low to high' },
  { id: 'PRICE_DESCENDING', slug: 'price-down', label: 'Price, high to low' },
];

export const SEARCH_SORTS: readonly Order[] = [
  { id: 'RELEVANCE', slug: 'best', label: 'Best match' },
  ...SORTS.slice(1),
];
