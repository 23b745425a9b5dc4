import type { ComparisonPeriod, RangePreset, ReportDimension, ReportMeasure } from '~/graphql/schema.generated';

export const MOST_MEASURES = 4;
export const MOST_DIMENSIONS = 3;

export const units = ['days', 'weeks', 'months', 'quarters', 'years'] as const;
export type Unit = (typeof units)[number];

export type Range =
  | { kind: 'preset'; preset: RangePreset }
  | { kind: 'last'; count: number; unit: Unit }
  | { kind: 'dates'; from: string; to: string };

export interface Filter {
  dimension: ReportDimension;
  /** Keeps everything else instead. */
  negated: boolean;
  /** Keys of members, at least one. */
  values: readonly string[];
}

export interface Sorting {
  by: ReportMeasure | ReportDimension;
  descending: boolean;
}

export const charts = ['line', 'bar', 'stacked', 'heat'] as const;
export type ChartKind = (typeof charts)[number];

/** A whole report, as its address says it. */
export interface ReportState {
  /** 1 to 4; charts show the first. */
  measures: readonly ReportMeasure[];
  /** Up to 3. */
  by: readonly ReportDimension[];
  where: readonly Filter[];
  range: Range;
  versus: ComparisonPeriod | null;
  /** How many members of one dimension keep a row of their own. */
  top: { count: number; of: ReportDimension } | null;
  sort: Sorting | null;
  /** Null for the one that fits best. */
  chart: ChartKind | null;
}

export const measures = [
  'ORDERS',
  'UNITS',
  'GROSS_SALES',
  'DISCOUNTS',
  'REFUNDS',
  'NET_SALES',
  'TAX',
  'SHIPPING',
  'AVERAGE_ORDER_VALUE',
  'UNITS_PER_ORDER',
  'CUSTOMERS',
  'NEW_CUSTOMERS',
  'RETURNING_CUSTOMERS',
  'REPEAT_RATE',
  'REFUND_RATE',
  'STOCK_ON_HAND',
  'SELL_THROUGH',
  'DAYS_OF_COVER',
  'VIEWS',
  'ADDS_TO_CART',
  'CHECKOUTS',
  'CONVERSION',
] as const satisfies readonly ReportMeasure[];

export const times = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR'] as const satisfies readonly ReportDimension[];

/** Everything that a report can be filtered by, as `ReportFilter` names it. */
export const filterFields = {
  CATEGORY: 'category',
  GENDER: 'gender',
  SUBCATEGORY: 'subcategory',
  PRODUCT: 'product',
  VARIANT: 'variant',
  COLOR: 'color',
  SIZE: 'size',
  PRICE_BAND: 'priceBand',
  DISCOUNTED: 'discounted',
  DISCOUNT_CODE: 'discountCode',
  COUNTRY: 'country',
  CITY: 'city',
  CUSTOMER_KIND: 'customerKind',
  PAYMENT_STATUS: 'paymentStatus',
  WEEKDAY: 'weekday',
  HOUR_OF_DAY: 'hourOfDay',
} as const satisfies Partial<Record<ReportDimension, string>>;

type FilterDimension = keyof typeof filterFields;

export const dimensions: readonly ReportDimension[] = [...times, ...(Object.keys(filterFields) as FilterDimension[])];

export const presets = [
  'TODAY',
  'YESTERDAY',
  'THIS_WEEK',
  'LAST_WEEK',
  'THIS_MONTH',
  'LAST_MONTH',
  'THIS_QUARTER',
  'LAST_QUARTER',
  'THIS_YEAR',
  'LAST_YEAR',
  'LAST_7_DAYS',
  'LAST_30_DAYS',
  'LAST_90_DAYS',
  'LAST_12_MONTHS',
  'ALL_TIME',
] as const satisfies readonly RangePreset[];

export const periods = [
  'PREVIOUS_PERIOD',
  'PREVIOUS_WEEK',
  'PREVIOUS_MONTH',
  'PREVIOUS_QUARTER',
  'PREVIOUS_YEAR',
] as const satisfies readonly ComparisonPeriod[];

/** What the builder opens on. */
export const beginning: ReportState = {
  measures: ['NET_SALES', 'ORDERS'],
  by: ['MONTH', 'CATEGORY'],
  where: [],
  range: { kind: 'preset', preset: 'LAST_12_MONTHS' },
  versus: null,
  top: null,
  sort: null,
  chart: null,
};

export const isTime = (dimension: ReportDimension): boolean =>
  (times as readonly ReportDimension[]).includes(dimension);

export const canFilter = (dimension: ReportDimension): dimension is FilterDimension => dimension in filterFields;

const slug = (name: string) => name.toLowerCase().replaceAll('_', '-');

function named<Name extends string>(names: readonly Name[], text: string | null | undefined): Name | undefined {
  return names.find((name) => slug(name) === text);
}

function listed<Name extends string>(names: readonly Name[], text: string | null, most: number): Name[] {
  const words = (text ?? '').split(',').flatMap((word) => named(names, word) ?? []);
  return [...new Set(words)].slice(0, most);
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const isDay = (text: string | undefined): text is string =>
  text !== undefined && DAY.test(text) && !Number.isNaN(Date.parse(text));

function readRange(text: string | null): Range {
  const preset = named(presets, text);
  if (preset) return { kind: 'preset', preset };
  const [, digits, unit] = /^(\d{1,4})-(\w+)$/.exec(text ?? '') ?? [];
  const knownUnit = units.find((each) => each === unit);
  if (knownUnit && Number(digits) > 0 && Number(digits) <= 3700)
    return { kind: 'last', count: Number(digits), unit: knownUnit };
  const [from, to] = (text ?? '').split('..');
  if (isDay(from) && isDay(to) && from <= to) return { kind: 'dates', from, to };
  return beginning.range;
}

function writeRange(range: Range): string {
  if (range.kind === 'preset') return slug(range.preset);
  return range.kind === 'last' ? `${range.count}-${range.unit}` : `${range.from}..${range.to}`;
}

function readFilters(query: URLSearchParams): Filter[] {
  return (Object.keys(filterFields) as FilterDimension[]).flatMap((dimension) =>
    [false, true].flatMap((negated) => {
      const values = [...new Set(query.getAll(`${negated ? 'not' : 'where'}.${slug(dimension)}`))].slice(0, 100);
      return values.length > 0 ? [{ dimension, negated, values }] : [];
    }),
  );
}

function readTop(text: string | null, by: readonly ReportDimension[]): ReportState['top'] {
  const [, digits, word] = /^(\d{1,3})-(.+)$/.exec(text ?? '') ?? [];
  const of = by.find((dimension) => slug(dimension) === word && !isTime(dimension));
  const count = Number(digits);
  return of && count >= 1 && count <= 100 ? { count, of } : null;
}

function readSorting(text: string | null, shown: readonly (ReportMeasure | ReportDimension)[]): Sorting | null {
  const [word, direction] = (text ?? '').split('.');
  const by = named(shown, word);
  return by ? { by, descending: direction !== 'up' } : null;
}

/** The report of an address; whatever it does not say, or says wrongly, is as in the beginning. */
export function readReport(query: URLSearchParams): ReportState {
  const shown = listed(measures, query.get('show'), MOST_MEASURES);
  const own = shown.length > 0 ? shown : beginning.measures;
  const by = query.has('by') ? listed(dimensions, query.get('by'), MOST_DIMENSIONS) : beginning.by;
  return {
    measures: own,
    by,
    where: readFilters(query),
    range: readRange(query.get('in')),
    versus: named(periods, query.get('versus')) ?? null,
    top: readTop(query.get('top'), by),
    sort: readSorting(query.get('sort'), [...own, ...by]),
    chart: charts.find((chart) => chart === query.get('chart')) ?? null,
  };
}

/** What follows the question mark in the report's address. */
export function writeReport(state: ReportState): string {
  const query = new URLSearchParams({ tab: 'analytics', view: 'reports' });
  query.set('show', state.measures.map(slug).join(','));
  query.set('by', state.by.map(slug).join(','));
  for (const { dimension, negated, values } of state.where) {
    for (const value of values) query.append(`${negated ? 'not' : 'where'}.${slug(dimension)}`, value);
  }
  query.set('in', writeRange(state.range));
  if (state.versus) query.set('versus', slug(state.versus));
  if (state.top && state.by.includes(state.top.of)) query.set('top', `${state.top.count}-${slug(state.top.of)}`);
  const { sort } = state;
  const isShown = sort && ([...state.measures, ...state.by] as string[]).includes(sort.by);
  if (isShown) query.set('sort', `${slug(sort.by)}.${sort.descending ? 'down' : 'up'}`);
  if (state.chart) query.set('chart', state.chart);
  return query.toString().replaceAll('%2C', ',');
}
