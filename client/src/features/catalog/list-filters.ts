import type { ProductFilter } from '~/graphql/schema.generated';
import { parseAmount } from '~/ui/amount';
import { formatPrice } from '~/ui/price';
import { type ChoicesFacet, type Facet, FACETS, nameOf, type RangeFacet } from './facets';

/** The shopper's part of a list's filter; it names only what is chosen. */
export type ListFilters = ProductFilter;

/** With commas between them as the page writes them, or one after the other as a plain form does. */
const wordsIn = (values: readonly string[]) => values.flatMap((value) => value.split(',').filter(Boolean));
/** As the address has it: "12.50", or "12" for whole dollars. */
export const amount = (value: string | null) => parseAmount(value ?? '').value?.replace(/\.00$/, '') ?? null;

/** The filters without members that choose nothing. */
export function withoutEmpty(filters: ListFilters): ListFilters {
  const chosen = Object.entries(filters).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value));
  return Object.fromEntries(chosen);
}

/** Values in the facet's order, then those behind a colon; without an order of its own in that of the alphabet. */
const inOrder = ({ values }: ChoicesFacet, chosen: readonly string[]) =>
  values
    ? [...values.filter((value) => chosen.includes(value)), ...chosen.filter((value) => value.includes(':'))]
    : chosen.toSorted();

function readFacet(facet: Facet, query: URLSearchParams): ListFilters {
  if (facet.kind === 'flag') return { [facet.member]: query.get(facet.parameter) === facet.value };
  if (facet.kind === 'range') {
    return {
      [facet.from.member]: amount(query.get(facet.from.parameter)),
      [facet.to.member]: amount(query.get(facet.to.parameter)),
    };
  }
  return { [facet.member]: inOrder(facet, wordsIn(query.getAll(facet.parameter))) };
}

/** What the address chooses; what it makes up is left out. */
export function readFilters(query: URLSearchParams): ListFilters {
  return withoutEmpty(Object.assign({}, ...FACETS.map((facet) => readFacet(facet, query))) as ListFilters);
}

/** The filters' parameters of the address, in one fixed order. */
export function writeFilters(filters: ListFilters): [string, string][] {
  return FACETS.flatMap((facet): [string, string][] => {
    if (facet.kind === 'flag') return [[facet.parameter, filters[facet.member] ? facet.value : '']];
    if (facet.kind === 'choices') return [[facet.parameter, chosenOf(facet, filters).join()]];
    return [facet.from, facet.to].map(({ member, parameter }) => [parameter, filters[member] ?? '']);
  }).filter(([, value]) => value);
}

/** The chosen values of a facet. */
export const chosenOf = ({ member }: ChoicesFacet, filters: ListFilters): readonly string[] => filters[member] ?? [];

/** The filters with one more value of a facet, or without it; in the facet's order, else in that of the alphabet. */
export function withValue(facet: ChoicesFacet, filters: ListFilters, value: string, isIn: boolean): ListFilters {
  const others = chosenOf(facet, filters).filter((one) => one !== value);
  const chosen = isIn ? [...others, value] : others;
  return { [facet.member]: inOrder(facet, chosen) };
}

function rangeWords({ from, to }: RangeFacet, filters: ListFilters): string | null {
  const [lowest, highest] = [filters[from.member], filters[to.member]];
  if (lowest && highest) return `${formatPrice(lowest)} to ${formatPrice(highest)}`;
  if (lowest) return `From ${formatPrice(lowest)}`;
  return highest ? `Up to ${formatPrice(highest)}` : null;
}

/** One chosen filter: what it is called, and what drops it. */
export interface Chip {
  label: string;
  drop: (filters: ListFilters) => ListFilters;
}

/** What is chosen of a facet; a range is one choice. */
export function chipsOf(facet: Facet, filters: ListFilters): Chip[] {
  if (facet.kind === 'choices') {
    return chosenOf(facet, filters).map((value) => ({
      label: facet.values ? `${facet.label} ${nameOf(value)}` : value,
      drop: (now) => withValue(facet, now, value, false),
    }));
  }
  if (facet.kind === 'flag') {
    return filters[facet.member] ? [{ label: facet.label, drop: () => ({ [facet.member]: false }) }] : [];
  }
  const label = rangeWords(facet, filters);
  return label ? [{ label, drop: () => ({ [facet.from.member]: null, [facet.to.member]: null }) }] : [];
}

/** All choices that narrow the list. */
export const allChips = (filters: ListFilters): Chip[] => FACETS.flatMap((facet) => chipsOf(facet, filters));
