import { SIZES } from '~/graphql/catalogue';
import type { ProductFilter } from '~/graphql/schema.generated';
import type { FacetsFragment } from './product-list.generated';

/** Members of the schema's filter that take a value of this type. */
type MemberOf<Value> = {
  [Member in keyof ProductFilter]-?: NonNullable<ProductFilter[Member]> extends Value ? Member : never;
}[keyof ProductFilter];

export interface FacetOption {
  value: string;
  /** A color that stands for it. */
  hex?: string;
  /** Products that would be left. */
  count?: number;
}

/** Several values of which a product has one. */
export interface ChoicesFacet {
  kind: 'choices';
  label: string;
  /** The member of the schema's filter. */
  member: MemberOf<readonly string[]>;
  /** Its name in the address. */
  parameter: string;
  /** All values that an address may name, in order; any text where there is no such list. */
  values?: readonly string[];
  options: (facets: FacetsFragment | undefined) => readonly FacetOption[];
  /** What a chosen value is called among the chosen filters; the value itself by default. */
  chip?: (value: string) => string;
  /** Short values on a ruled tape instead of a list. */
  isTape?: boolean;
  /** Said when there are no options. */
  none?: string;
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
  member: MemberOf<boolean>;
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
    options: () => SIZES.map((value) => ({ value })),
    chip: (size) => `Size ${size}`,
    isTape: true,
  },
  {
    kind: 'choices',
    label: 'Color',
    member: 'colors',
    parameter: 'color',
    options: (facets) => facets?.colors.map(({ name, hex, count }) => ({ value: name, hex, count })) ?? [],
    none: 'No colors to choose from.',
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

/** The facets that can narrow a list further: a page of what is on sale has no choice of it. */
export const facetsOf = (page: ProductFilter): readonly Facet[] =>
  FACETS.filter((facet) => facet.kind !== 'flag' || page[facet.member] !== true);
