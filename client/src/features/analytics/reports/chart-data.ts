import type { ReportDimension } from '~/graphql/schema.generated';
import { SIZES } from '~/graphql/catalogue';
import { type ChartData, type ChartUnit, largest } from '~/features/analytics/charts/series';
import type { BuiltReportQuery } from './report.generated';
import { type ChartKind, isTime, type ReportState } from './state';
import { comparisonHead, capitalized, measureWords } from './words';

type Admin = NonNullable<BuiltReportQuery['admin']>;
export type ReportAnswer = NonNullable<Admin['analytics']['report']>;
export type ReportRow = ReportAnswer['rows'][number];
export type ReportCell = ReportRow['m1'];
export type Member = NonNullable<ReportRow['d1']>;

const MOST_BARS = 40;
const OTHERS = 'All others';
const OTHER = 'other';

/** Letters in their order, then other sizes by their first number: W28 L32, W30 L30. */
function sizePlace(key: string): number {
  const place = SIZES.indexOf(key);
  return place < 0 ? SIZES.length + Number.parseFloat(key.replace(/^\D+/, '') || '0') : place;
}

/** The row's members, in the order of `by`. */
export const membersOf = (row: ReportRow): Member[] => [row.d1, row.d2, row.d3].filter((each) => each != null);

/** The row's values in the order of the measures. */
export const cellsOf = (row: Pick<ReportRow, 'm1' | 'm2' | 'm3' | 'm4'>): ReportCell[] =>
  [row.m1, row.m2, row.m3, row.m4].filter((each) => each != null);

const number = (amount: string | null | undefined) => (amount == null ? null : Number(amount));

/** The charts that can show the report; the first shows it best. None for totals alone. */
export function fittingCharts({ by }: Pick<ReportState, 'by'>, addsUp: boolean): ChartKind[] {
  if (by.length === 0) return [];
  const hasTime = by.some(isTime);
  const fits: ChartKind[] = [];
  if (by.length === 2 && !hasTime) fits.push('heat');
  if (by.length > 1 && addsUp) fits.push('stacked');
  if (hasTime) fits.push('line');
  return [...fits, 'bar'];
}

interface Axis {
  keys: string[];
  labels: string[];
}

/** The places of members that have an order of their own. A price band's key begins with its lower end, if it has one. */
const orders: Partial<Record<ReportDimension, (key: string) => number>> = {
  SIZE: sizePlace,
  WEEKDAY: Number,
  HOUR_OF_DAY: Number,
  PRICE_BAND: (key) => Number.parseInt(key, 10) || 0,
};

/** Members in an order of their own, if they have one; Other comes last then. */
function naturally(dimension: ReportDimension | undefined, members: Map<string, Member>): string[] {
  const keys = [...members.keys()];
  if (dimension && isTime(dimension)) return keys.toSorted();
  const order = dimension && orders[dimension];
  const placeOf = (key: string) => (key === OTHER ? Infinity : (order?.(key) ?? 0));
  return order ? keys.toSorted((one, other) => placeOf(one) - placeOf(other)) : keys;
}

const keyOf = (member: Member | undefined) => (member?.isOther ? OTHER : (member?.key ?? ''));

function axisOf(rows: readonly ReportRow[], place: number, dimension: ReportDimension | undefined): Axis {
  const members = new Map<string, Member>();
  for (const row of rows) {
    const member = membersOf(row)[place];
    if (member) members.set(keyOf(member), member);
  }
  const keys = naturally(dimension, members);
  return { keys, labels: keys.map((key) => members.get(key)?.label ?? key) };
}

/** Times that have not come yet are empty, not nothing. */
function hasCome(dimension: ReportDimension | undefined, key: string, today: string): boolean {
  return !dimension || !isTime(dimension) || key.slice(0, 10) <= today;
}

/** Lines, bars or stacks of the first measure. `today` is the report's own, `2026-11-21`. */
export function chartData(state: ReportState, rows: readonly ReportRow[], addsUp: boolean, today: string): ChartData {
  const place = Math.max(0, state.by.findIndex(isTime));
  const dimension = state.by[place];
  const all = axisOf(rows, place, dimension);
  const keys = all.keys.slice(0, dimension && isTime(dimension) ? undefined : MOST_BARS);
  const labels = all.labels.slice(0, keys.length);
  const at = new Map(keys.map((key, index) => [key, index]));
  const valuesByName = new Map<string, (number | null)[]>();
  const before: (number | null)[] = keys.map(() => null);
  for (const row of rows) {
    const members = membersOf(row);
    const key = keyOf(members[place]);
    const index = at.get(key);
    if (index === undefined) continue;
    const others = members.filter((_, each) => each !== place);
    const name = others.map(({ label }) => label).join(' · ');
    const values = valuesByName.get(name) ?? keys.map(() => null);
    values[index] = hasCome(dimension, key, today) ? number(row.m1.amount) : null;
    valuesByName.set(name, values);
    if (others.length === 0) before[index] = number(row.m1.versus?.amount);
  }
  const named = [...valuesByName].map(([name, values]) => ({ name: name || measureName(state), values }));
  const { series, left } = largest(named, addsUp, OTHERS);
  const compared =
    state.versus && state.by.length === 1 ? { name: comparisonHead(state.versus), values: before } : null;
  return { labels, series, before: compared, left: left + all.keys.length - keys.length };
}

interface HeatData {
  rows: readonly string[];
  columns: readonly string[];
  /** By row, then by column. */
  values: readonly (readonly (number | null)[])[];
}

/** Two dimensions against each other; the one with more members runs along the top. */
export function heatData(by: readonly ReportDimension[], rows: readonly ReportRow[]): HeatData {
  const axes = [0, 1].map((place) => axisOf(rows, place, by[place]));
  const [first, second] = axes;
  if (!first || !second) return { rows: [], columns: [], values: [] };
  const isTurned = first.keys.length > second.keys.length;
  const [down, across] = isTurned ? [second, first] : [first, second];
  const values = down.keys.map(() => across.keys.map((): number | null => null));
  for (const row of rows) {
    const [one, other] = membersOf(row).map(keyOf);
    const [y, x] = isTurned ? [other, one] : [one, other];
    const line = values[down.keys.indexOf(y ?? '')];
    const column = across.keys.indexOf(x ?? '');
    if (line && column >= 0) line[column] = number(row.m1.amount);
  }
  return { rows: down.labels, columns: across.labels, values };
}

const measureName = ({ measures: [first = 'NET_SALES'] }: Pick<ReportState, 'measures'>): string =>
  capitalized(measureWords(first));

export const unitOf = (answer: ReportAnswer): ChartUnit => answer.totals.m1.unit;
