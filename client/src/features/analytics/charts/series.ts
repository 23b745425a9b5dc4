import { formatCompact, formatDecimal, formatDollars } from '~/ui/format';

/** One measure over rows, for one line or one kind of bar. */
interface Series {
  name: string;
  values: readonly (number | null)[];
}

export interface ChartData {
  /** Along the axis. */
  labels: readonly string[];
  series: readonly Series[];
  /** What the first series is compared with. */
  before: Series | null;
  /** Members that are not drawn, being too many or too small. */
  left: number;
}

/** A chart of other places or series starts anew, without the tooltip that the pointer left behind. */
export const chartKey = ({ labels, series, before }: ChartData) =>
  JSON.stringify([labels, series.map(({ name }) => name), before?.name]);

export const hasValues = ({ values }: Series): boolean => values.some((value) => value !== null);

/** What the first series is compared with; null where there is nothing to see of it but zeros and gaps. */
export const drawnComparison = ({ before }: ChartData): Series | null =>
  before?.values.some((value) => value !== null && value !== 0) ? before : null;

const MOST_SERIES = 6;

/**
 * Keeps the largest series and, where they add up, one for all the others. The order is by sum, most first. Where none of
 * the others has a value, their sum has none.
 */
export function largest(
  series: readonly Series[],
  addsUp: boolean,
  others: string,
): { series: Series[]; left: number } {
  const sum = ({ values }: Series) => values.reduce<number>((total, value) => total + (value ?? 0), 0);
  const sorted = series.toSorted((one, other) => sum(other) - sum(one));
  if (sorted.length <= MOST_SERIES) return { series: sorted, left: 0 };
  if (!addsUp) return { series: sorted.slice(0, MOST_SERIES), left: sorted.length - MOST_SERIES };
  const largestSeries = sorted.slice(0, MOST_SERIES - 1);
  const rest = sorted.slice(MOST_SERIES - 1);
  const values = (rest[0]?.values ?? []).map((_, place) =>
    rest
      .map((each) => each.values[place] ?? null)
      .reduce((total, value) => (value === null ? total : (total ?? 0) + value), null),
  );
  return { series: [...largestSeries, { name: others, values }], left: 0 };
}

/** Round numbers from nothing (or less) up to the highest value, four or so. */
export function ticksUpTo(highest: number, lowest = 0): number[] {
  const isFlat = highest <= 0 && lowest >= 0;
  const top = isFlat ? 1 : Math.max(highest, 0);
  const span = top - Math.min(lowest, 0);
  const rough = span / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10) * power;
  const first = Math.floor(Math.min(lowest, 0) / step);
  const last = Math.ceil(top / step);
  return Array.from({ length: last - first + 1 }, (_, place) => Number(((first + place) * step).toPrecision(12)));
}

export type ChartUnit = 'MONEY' | 'COUNT' | 'PERCENT' | 'RATIO' | 'DAYS';

/** A value on an axis: "$1.8K", "40%". */
export function axisWords(value: number, unit: ChartUnit): string {
  if (unit === 'PERCENT') return `${formatCompact(value)}%`;
  const size = formatCompact(Math.abs(value)).replace('K', 'k');
  return `${value < 0 ? '-' : ''}${unit === 'MONEY' && value !== 0 ? '$' : ''}${size}`;
}

/** A value in full: "$1,234.50", "38.2%". */
export function valueWords(value: number | null, unit: ChartUnit): string {
  if (value === null) return '–';
  if (unit === 'MONEY') return formatDollars(value);
  if (unit === 'PERCENT') return `${value.toFixed(1)}%`;
  return unit === 'DAYS' ? `${Math.round(value)} days` : formatDecimal(value);
}

/** Positions at least `gap` apart, as near to where they belong as that lets them, in the given order. */
export function apart(heights: readonly number[], gap: number, lowest: number, highest: number): number[] {
  const order = heights.map((at, place) => ({ at, place })).toSorted((one, other) => one.at - other.at);
  const places: number[] = [];
  let floor = lowest;
  for (const { at, place } of order) {
    places[place] = Math.max(at, floor);
    floor = (places[place] ?? 0) + gap;
  }
  let ceiling = highest;
  for (const { place } of order.toReversed()) {
    places[place] = Math.min(places[place] ?? 0, ceiling);
    ceiling = (places[place] ?? 0) - gap;
  }
  return places;
}
