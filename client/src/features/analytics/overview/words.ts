import type { ComparisonPeriod, RangePreset } from '~/graphql/schema.generated';
import { formatNumber } from '~/ui/format';

export const presets = [
  'THIS_WEEK',
  'THIS_MONTH',
  'LAST_MONTH',
  'THIS_QUARTER',
  'THIS_YEAR',
  'LAST_7_DAYS',
  'LAST_30_DAYS',
  'LAST_90_DAYS',
] as const satisfies readonly RangePreset[];
export type Preset = (typeof presets)[number];

export const comparisons = ['PREVIOUS_PERIOD', 'PREVIOUS_YEAR'] as const satisfies readonly ComparisonPeriod[];
export type Comparison = (typeof comparisons)[number];

const plain = (name: string) => name.toLowerCase().replaceAll('_', ' ');
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

export const presetWords = (preset: Preset): string => capital(plain(preset));

export const comparisonWords = (versus: Comparison): string =>
  versus === 'PREVIOUS_YEAR' ? 'the year before' : 'the period before';

export interface Sum {
  /** "$21,338.00". */
  now: string;
  /** Percent; null from nothing. */
  change: string | null;
  /** "+8.4%". */
  changeWords: string;
  /** Days that are compared. */
  days: number;
  isPart: boolean;
}

/** "$21,338.00 in 21 days, +8.4% on the first 21 days of the period before, up to the same hour." */
export function salesWords(
  { now, change, changeWords, days, isPart }: Sum,
  versus: Comparison,
): { sum: string; change: string; on: string } {
  const length = `${days} day${days === 1 ? '' : 's'}`;
  const other = comparisonWords(versus);
  if (change === null) return { sum: `${now} in ${length}; nothing was sold in ${other}.`, change: '', on: '' };
  return {
    sum: `${now} in ${length}, `,
    change: changeWords,
    on: isPart ? ` on the first ${length} of ${other}, up to the same hour.` : ` on ${other}.`,
  };
}

const steps: Record<string, string> = { viewed: 'Viewed', added: 'Added', checkout: 'Checkout', paid: 'Paid' };
export const stepWords = (name: string): string => steps[name] ?? capital(name);

interface Step {
  name: string;
  visits: number;
  ofPrevious: string | null;
}

/** "Of 3,620 visits, 163 paid. Most turn back before adding." */
export function funnelWords(all: readonly Step[]): string {
  const [first] = all;
  const last = all.at(-1);
  if (!first || !last || first.visits === 0) return 'Nobody who lets visits be counted has come in this period.';
  const visits = `Of ${formatNumber(first.visits)} visits, ${formatNumber(last.visits)} paid.`;
  const steepest = all
    .slice(1)
    .toSorted((one, other) => Number(one.ofPrevious ?? 100) - Number(other.ofPrevious ?? 100))[0];
  if (!steepest || last.visits === first.visits) return visits;
  const where: Record<string, string> = { added: 'anything is in the cart', checkout: 'the checkout', paid: 'paying' };
  return `${visits} Most turn back before ${where[steepest.name] ?? steepest.name}.`;
}

interface Cell {
  row: string;
  column: string;
  value: number;
}

/** "Most often on Sundays from 20:00 to 22:00." */
export function busiestWords(cells: readonly Cell[]): string {
  const most = cells.toSorted((one, other) => other.value - one.value)[0];
  if (!most || most.value === 0) return 'No order has come in the last 90 days.';
  const hour = Number(most.column.slice(0, 2));
  const next = `${String((hour + 1) % 24).padStart(2, '0')}:00`;
  return `Most often on ${most.row}s from ${most.column} to ${next}.`;
}

/** "Men, shirts brought most: 31% of $225,360 in twelve months." */
export function shareWords(parts: readonly { name: string; sum: number }[]): string {
  const whole = parts.reduce((total, { sum }) => total + sum, 0);
  const best = parts.toSorted((one, other) => other.sum - one.sum)[0];
  if (!best || whole <= 0) return 'Nothing was sold in twelve months.';
  const dollars = `$${formatNumber(Math.round(whole))}`;
  return `${best.name} brought most: ${Math.round((best.sum * 100) / whole)}% of ${dollars} in twelve months.`;
}
