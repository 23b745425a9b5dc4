import type {
  ReportDimension,
  ReportFilter,
  ReportMeasure,
  ReportOrder,
  ReportRange,
  ReportSource,
} from '~/graphql/schema.generated';
import type { BuiltReportQueryVariables } from './report.generated';
import {
  canFilter,
  type Filter,
  filterFields,
  isTime,
  type Range,
  type ReportState,
  type Sorting,
  type Unit,
} from './state';

/** Where each measure is counted; a report asks for the members of all of them. */
export type Sources = ReadonlyMap<ReportMeasure, readonly ReportSource[]>;

const numbers = new Set<ReportDimension>(['WEEKDAY', 'HOUR_OF_DAY']);
/** The values that the schema writes as enum values, by their keys. */
const enums = new Set<ReportDimension>(['SIZE']);

const lastOf: Record<Unit, (count: number) => NonNullable<ReportRange['last']>> = {
  days: (days) => ({ days }),
  weeks: (weeks) => ({ weeks }),
  months: (months) => ({ months }),
  quarters: (quarters) => ({ quarters }),
  years: (years) => ({ years }),
};

export function toRange(range: Range): ReportRange {
  if (range.kind === 'preset') return { preset: range.preset };
  if (range.kind === 'dates') return { dates: { from: range.from, to: range.to } };
  return { last: lastOf[range.unit](range.count) };
}

type FilterValue = string | number | boolean | null;

/** One field of `ReportFilter` with its value. */
function toField({
  dimension,
  values,
}: Pick<Filter, 'dimension' | 'values'>): [string, FilterValue | FilterValue[]] | null {
  if (!canFilter(dimension)) return null;
  const name = filterFields[dimension];
  if (dimension === 'DISCOUNTED') return [name, values[0] === 'true'];
  if (numbers.has(dimension)) return [name, values.map(Number)];
  if (enums.has(dimension)) return [name, values.map((value) => value.toUpperCase())];
  return [name, values.map((value) => (value === NONE ? null : value))];
}

/** How an address writes that there is none, as an order without a discount code. */
export const NONE = '-';

function fields(filters: readonly Filter[]): Record<string, FilterValue | FilterValue[]> {
  return Object.fromEntries(filters.flatMap((filter) => [toField(filter) ?? []]).filter((field) => field.length === 2));
}

/** Null when nothing is left out. */
export function toWhere(where: readonly Filter[]): ReportFilter | null {
  if (where.length === 0) return null;
  const positive = where.filter(({ negated }) => !negated);
  const left = where.filter(({ negated }) => negated);
  // The keys and their values come out of `toField`, which has the type of each field.
  return { ...fields(positive), ...(left.length > 0 && { not: fields(left) }) } as ReportFilter;
}

export function toOrder(sort: Sorting, by: readonly ReportDimension[]): ReportOrder {
  const isDimension = (by as readonly string[]).includes(sort.by);
  return {
    ...(isDimension ? { dimension: sort.by as ReportDimension } : { measure: sort.by as ReportMeasure }),
    direction: sort.descending ? 'DESCENDING' : 'ASCENDING',
  };
}

export function sourcesOf(state: ReportState, sources: Sources): ReportSource[] {
  const selected = new Set(state.measures.flatMap((measure) => sources.get(measure) ?? []));
  return selected.size > 0 ? [...selected] : ['SALES'];
}

/** Variables of the one document that every report is asked with. */
export function toVariables(state: ReportState, sources: Sources): BuiltReportQueryVariables {
  const [m1 = 'NET_SALES', m2, m3, m4] = state.measures;
  const [d1, d2, d3] = state.by;
  return {
    range: toRange(state.range),
    by: [...state.by],
    where: toWhere(state.where),
    orderBy: state.sort ? [toOrder(state.sort, state.by)] : [],
    top: state.top ? { n: state.top.count, of: state.top.of, by: m1 } : null,
    rowsOf: sourcesOf(state, sources),
    d1: d1 ?? 'DAY',
    d2: d2 ?? 'DAY',
    d3: d3 ?? 'DAY',
    hasD1: d1 !== undefined,
    hasD2: d2 !== undefined,
    hasD3: d3 !== undefined,
    m1,
    m2: m2 ?? m1,
    m3: m3 ?? m1,
    m4: m4 ?? m1,
    hasM2: m2 !== undefined,
    hasM3: m3 !== undefined,
    hasM4: m4 !== undefined,
    versus: state.versus ?? 'PREVIOUS_PERIOD',
    hasVersus: state.versus !== null,
  };
}

interface Member {
  key: string | null;
  isOther: boolean;
}

export interface Days {
  from: string;
  to: string;
}

const DAY_MS = 86_400_000;
const iso = (moment: Date) => moment.toISOString().slice(0, 10);
const midnight = (day: string) => new Date(`${day.slice(0, 10)}T00:00:00Z`);
const monthsIn: Partial<Record<ReportDimension, number>> = { MONTH: 1, QUARTER: 3, YEAR: 12 };

/** First and last day of a time that a row stands for, from its key. */
export function daysOf(time: ReportDimension, key: string): Days {
  const start = midnight(key);
  const months = monthsIn[time];
  if (months) {
    const next = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + months, 1);
    return { from: iso(start), to: iso(new Date(next - DAY_MS)) };
  }
  const length = time === 'WEEK' ? 7 : 1;
  return { from: iso(start), to: iso(new Date(start.getTime() + (length - 1) * DAY_MS)) };
}

/** What asks for the orders behind one row: its members and its time. Null where it cannot be said. */
export function behindRow(
  state: Pick<ReportState, 'by' | 'where'>,
  members: readonly Member[],
  range: Days,
): { range: ReportRange; where: ReportFilter | null } | null {
  let { from, to } = range;
  const narrowed = new Map<ReportDimension, string>();
  for (const [place, dimension] of state.by.entries()) {
    const member = members[place];
    if (!member || member.isOther) return null;
    if (isTime(dimension)) {
      if (member.key === null) return null;
      const days = daysOf(dimension, member.key);
      [from, to] = [days.from > from ? days.from : from, days.to < to ? days.to : to];
      if (dimension === 'HOUR') narrowed.set('HOUR_OF_DAY', String(Number(member.key.slice(11, 13))));
    } else {
      if (member.key === null && dimension !== 'DISCOUNT_CODE') return null;
      narrowed.set(dimension, member.key ?? NONE);
    }
  }
  const others = state.where.filter(({ dimension, negated }) => negated || !narrowed.has(dimension));
  const own = [...narrowed].map(([dimension, value]) => ({ dimension, negated: false, values: [value] }));
  return { range: { dates: { from, to } }, where: toWhere([...others, ...own]) };
}
