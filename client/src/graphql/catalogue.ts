// What the catalogue is divided and ordered by, what that is called, and where it is shown.
import type { Gender, ProductSort, Size, Subcategory } from './schema.generated';

/** As people read them; a size that the schema gets is missed here by the compiler. */
const places: Record<Size, number> = { XS: 0, S: 1, M: 2, L: 3, XL: 4, XXL: 5 };

/** Every size, the smallest first. */
export const SIZES = Object.keys(places) as readonly Size[];

export const genderNames: Record<Gender, string> = { MEN: 'Men', WOMEN: 'Women' };
export const kindNames: Record<Subcategory, string> = { JEANS: 'Jeans', SHIRTS: 'Shirts', TROUSERS: 'Trousers' };

/** The kinds of garment that are sold for each gender; the first one is what its page opens with. */
export const kindsOf: Record<Gender, readonly [Subcategory, ...Subcategory[]]> = {
  MEN: ['JEANS', 'SHIRTS'],
  WOMEN: ['JEANS', 'SHIRTS', 'TROUSERS'],
};

/** The word by which addresses have a gender or a kind. */
export const slugOf = (part: Gender | Subcategory): string => part.toLowerCase();

export const categoryPath = (gender: Gender, kind?: Subcategory): string =>
  kind ? `/category/${slugOf(gender)}/${slugOf(kind)}` : `/category/${slugOf(gender)}`;

export const salePath = (gender?: Gender): string => (gender ? `/category/sale/${slugOf(gender)}` : '/category/sale');

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
