// What the catalogue is divided and ordered by, what that is called, and where it is shown.
import type { ProductSort, Size } from './schema.generated';

/** As people read them; a size that the schema gets is missed here by the compiler. */
const places: Record<Size, number> = { XS: 0, S: 1, M: 2, L: 3, XL: 4, XXL: 5 };

/** Every size, the smallest first. */
export const SIZES = Object.keys(places) as readonly Size[];

/** Keys of the departments and kinds that the menu and the first page show; addresses have the same words. */
export type Department = 'men' | 'women';
export type Kind = 'jeans' | 'shirts' | 'trousers';

export const departmentNames: Record<Department, string> = { men: 'Men', women: 'Women' };

export const categoryPath = (department: Department, kind?: Kind): string =>
  kind ? `/category/${department}/${kind}` : `/category/${department}`;

export const salePath = (department?: Department): string =>
  department ? `/category/sale/${department}` : '/category/sale';

export interface Order {
  id: ProductSort;
  slug: string;
  label: string;
}

export const NEWEST: Order = { id: 'NEWEST', slug: 'newest', label: 'Newest' };

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
