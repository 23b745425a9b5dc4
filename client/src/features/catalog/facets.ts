import { SIZES } from '~/graphql/catalogue';
import type { ProductFilter } from '~/graphql/schema.generated';
import type { FacetsFragment } from './product-list.generated';

/** Members of the schema's filter that take a value of this type. */
type MemberOf<Value> = {
  [Member in keyof ProductFilter]-?: NonNullable<ProductFilter[Member]> extends Value ? Member : never;
}[keyof ProductFilter];

interface FacetOption {
  value: string;
  /** What it belongs to, of sizes that are no letters. */
  group?: string;
  /** A color that stands for it. */
  hex?: string;
  /** Products that would be left, where it is known. */
  count?: number | undefined;
}

/** Several values of which a product has one. */
export interface ChoicesFacet {
  kind: 'choices';
  label: string;
  /** The member of the schema's filter. */
  member: MemberOf<readonly string[]>;
  /** Its name in the address. */
  parameter: string;
  /**
   * Values without a colon that there may be, in order: short ones, which stand on a ruled tape and are named with the
   * label. Behind a colon stands the name of a value of another set.
   */
  values?: readonly string[];
  /** The values of this list to choose from. An address may name any text where there is no `values`. */
  options: (facets: FacetsFragment) => readonly FacetOption[];
}

/** Amounts of money from and to. */
export interface RangeFacet {
  kind: 'range';
  label: string;
  from: { member: MemberOf<string>; parameter: string };
  to: { member: MemberOf<string>; parameter: string };
  bounds: (facets: FacetsFragment) => { lowest: string; highest: string } | null;
}

/** A property that a product has or lacks. */
export interface FlagFacet {
  kind: 'flag';
  label: string;
  member: MemberOf<boolean> & keyof FacetsFragment;
  parameter: string;
  /** What the address says when it is chosen. */
  value: string;
}

export type Facet = ChoicesFacet | RangeFacet | FlagFacet;

/** All facets of a product list, in the order of the page and of the address. Their counts are the fragment `Facets`. */
export const FACETS: readonly Facet[] = [
  {
    kind: 'choices',
    label: 'Size',
    member: 'sizes',
    parameter: 'size',
    values: SIZES,
    options: ({ sizes }) =>
      sizes.every(({ size }) => SIZES.includes(size))
        ? SIZES.map((value) => ({ value, count: sizes.find(({ size }) => size === value)?.count ?? 0 }))
        : sizes.map((one) => ({ ...one, value: one.size })),
  },
  {
    kind: 'choices',
    label: 'Color',
    member: 'colors',
    parameter: 'color',
    options: ({ colors }) => colors.map(({ name, hex, count }) => ({ value: name, hex, count })),
  },
  {
    kind: 'range',
    label: 'Price',
    from: { member: 'priceFrom', parameter: 'from' },
    to: { member: 'priceTo', parameter: 'to' },
    bounds: ({ priceRange }) => priceRange,
  },
  { kind: 'flag', label: 'In stock', member: 'inStock', parameter: 'stock', value: 'in' },
  { kind: 'flag', label: 'On sale', member: 'onSale', parameter: 'sale', value: 'on' },
];

/** What a value is called. */
export const nameOf = (value: string): string => value.slice(value.indexOf(':') + 1);

/** What can be chosen of a facet, without numbers while they are on their way. */
export const optionsOf = (facet: ChoicesFacet, facets: FacetsFragment | undefined): readonly FacetOption[] =>
  facets ? facet.options(facets) : (facet.values ?? []).map((value) => ({ value }));

/** Whether choosing it would leave nothing. It stays focusable, and what is chosen can be taken back. */
export const isEmpty = (count: number | undefined, isChosen: boolean): boolean => count === 0 && !isChosen;

/** The facets that can narrow a list further: a page of what is on sale has no choice of it. */
export const facetsOf = (page: ProductFilter): readonly Facet[] =>
  FACETS.filter((facet) => facet.kind !== 'flag' || page[facet.member] !== true);
