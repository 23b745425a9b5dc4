import type { ComparisonPeriod, RangePreset, ReportDimension, ReportMeasure } from '~/graphql/schema.generated';
import { formatCalendarDay } from '~/ui/format';
import type { Filter, Range, ReportState } from './state';

const plain = (name: string) => name.toLowerCase().replaceAll('_', ' ');
const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

export const measureWords = (measure: ReportMeasure): string =>
  measure === 'SELL_THROUGH' ? 'sell-through' : plain(measure);

export const dimensionWords = (dimension: ReportDimension): string => plain(dimension);

const inPresets: Partial<Record<RangePreset, string>> = {
  TODAY: '',
  YESTERDAY: '',
  ALL_TIME: '',
};

/** The period and the word before it: "in the last 12 months", "from Nov 1, 2026 to ...", "today". */
export function rangeWords(range: Range): { before: string; words: string } {
  if (range.kind === 'dates')
    return { before: 'from', words: `${formatCalendarDay(range.from)} to ${formatCalendarDay(range.to)}` };
  if (range.kind === 'last') {
    const unit = range.count === 1 ? range.unit.slice(0, -1) : range.unit;
    return { before: 'in the last', words: `${range.count === 1 ? '' : `${range.count} `}${unit}` };
  }
  const words = plain(range.preset);
  if (range.preset in inPresets) return { before: range.preset === 'ALL_TIME' ? 'of' : '', words };
  const isRolling = /\d/.test(words);
  return isRolling ? { before: 'in the', words } : { before: '', words };
}

const versusWords: Record<ComparisonPeriod, string> = {
  PREVIOUS_PERIOD: 'the period before',
  PREVIOUS_WEEK: 'the week before',
  PREVIOUS_MONTH: 'the month before',
  PREVIOUS_QUARTER: 'the quarter before',
  PREVIOUS_YEAR: 'the year before',
};

export const comparisonWords = (period: ComparisonPeriod): string => versusWords[period];

/** The head of a column: "Year before". */
export const comparisonHead = (period: ComparisonPeriod): string => capital(versusWords[period].replace('the ', ''));

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const bands: Record<string, string> = {
  'under-50': 'Under $50',
  '50-to-100': '$50 to $99.99',
  '100-to-150': '$100 to $149.99',
  '150-up': '$150 and more',
};

/** What a person calls a member; `names` are those from the server. */
export function memberWords(
  dimension: ReportDimension,
  key: string,
  names: ReadonlyMap<string, string> = new Map(),
): string {
  const name = names.get(key);
  if (name) return name;
  switch (dimension) {
    case 'CATEGORY':
      return capital(key.replace('_', ', '));
    case 'WEEKDAY':
      return weekdays[Number(key) - 1] ?? key;
    case 'HOUR_OF_DAY':
      return `${key.padStart(2, '0')}:00`;
    case 'DISCOUNTED':
      return key === 'true' ? 'Discounted' : 'Full price';
    case 'PRICE_BAND':
      return bands[key] ?? key;
    case 'GENDER':
    case 'SUBCATEGORY':
    case 'CUSTOMER_KIND':
    case 'PAYMENT_STATUS':
      return capital(plain(key));
    default:
      return key;
  }
}

/** "country is Sweden or Norway"; more than three values are counted. */
export function filterWords(filter: Filter, names?: ReadonlyMap<string, string>): string {
  const { dimension, negated, values } = filter;
  const shown = values.slice(0, values.length > 3 ? 2 : 3).map((value) => memberWords(dimension, value, names));
  const more = values.length - shown.length;
  const parts = more > 0 ? [...shown, `${more} more`] : shown;
  const [last = '', ...rest] = parts.toReversed();
  const joined = rest.length > 0 ? `${rest.toReversed().join(', ')} or ${last}` : last;
  if (dimension === 'DISCOUNTED') return `it is ${negated ? 'not ' : ''}${joined.toLowerCase()}`;
  return `${dimensionWords(dimension)} is ${negated ? 'not ' : ''}${joined}`;
}

const and = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** "Net sales by month and category". */
export function titleOf({ measures: [first = 'NET_SALES'], by }: Pick<ReportState, 'measures' | 'by'>): string {
  const split = by.length > 0 ? ` by ${and(by.map(dimensionWords))}` : '';
  return capital(measureWords(first)) + split;
}

export const capitalized = capital;
