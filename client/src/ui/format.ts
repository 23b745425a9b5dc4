/**
 * Numbers, days and moments in words: US English. Moments are those of the schema (ISO 8601 with a time zone), and each
 * is written in a time zone that is named: days and times of the shop in the shop's (ui/time-zone), whatever zone the
 * browser is in. What is exact to the cent is ui/price's.
 */
const LOCALE = 'en-US';
const DATE_TIME = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;

type Zoned = Intl.DateTimeFormatOptions & { timeZone: string };

/** The one way to a format of dates: its type asks for a time zone. */
function dateFormat(locale: string, options: Zoned): (moment: string | number) => string {
  // oxlint-disable-next-line no-restricted-properties
  const format = new Intl.DateTimeFormat(locale, options);
  return (moment) => format.format(new Date(moment));
}

const moments = (options: Zoned) => dateFormat(LOCALE, options);

/** Formats are slow to make: each is kept. */
function memoized<Value>(make: (key: string) => Value): (key: string) => Value {
  const values = new Map<string, Value>();
  return (key) => {
    const value = values.get(key) ?? make(key);
    values.set(key, value);
    return value;
  };
}

const numbers = (options?: Intl.NumberFormatOptions) => {
  const format = new Intl.NumberFormat(LOCALE, options);
  return (value: number) => format.format(value);
};

/** "1,234". */
export const formatNumber = numbers();
/** "1,234.57": two decimals at most. */
export const formatDecimal = numbers({ maximumFractionDigits: 2 });
/** "1.8K". */
export const formatCompact = numbers({ notation: 'compact', maximumFractionDigits: 1 });
/** "40%" of 0.4. */
export const formatShare = numbers({ style: 'percent' });
/** "$1,234.50" of a number, which may have been rounded: for charts. */
export const formatDollars = numbers({ style: 'currency', currency: 'USD' });

/** "Nov 20, 2026, 4:02 PM" by the clock of a time zone. */
export const formatMomentIn = (timeZone: string, moment: string): string => momentsIn(timeZone)(moment);

const momentsIn = memoized((timeZone) => moments({ dateStyle: 'medium', timeStyle: 'short', timeZone }));

/** "Nov 20, 2026", on the calendar of a time zone. */
export const formatDayIn = (timeZone: string, moment: string): string => longDaysIn(timeZone)(moment);

const longDaysIn = memoized((timeZone) => moments({ dateStyle: 'medium', timeZone }));

/** "Nov 20, 2026, 4:02:30 PM" by the clock of a time zone. */
export const formatSecondIn = (timeZone: string, moment: string): string => secondsIn(timeZone)(moment);

const secondsIn = memoized((timeZone) => moments({ dateStyle: 'medium', timeStyle: 'medium', timeZone }));

/** "November 20, 2026", on the calendar of a time zone. */
export const formatLongDayIn = (timeZone: string, moment: string): string => writtenDaysIn(timeZone)(moment);

const writtenDaysIn = memoized((timeZone) => moments({ dateStyle: 'long', timeZone }));

/** "Nov 20, 2026, 16:02" by the clock of a time zone, as fields for a moment show it. */
export const formatFieldMomentIn = (timeZone: string, moment: string): string => fieldMomentsIn(timeZone)(moment);

const fieldMomentsIn = memoized((timeZone) =>
  moments({ ...DATE_TIME, year: 'numeric', hour: '2-digit', hourCycle: 'h23', timeZone }),
);

/** "Nov 20, 4:02 PM" by the clock of a time zone. */
export const formatRecentMomentIn = (timeZone: string, moment: string): string => recentIn(timeZone)(moment);

const recentIn = memoized((timeZone) => moments({ ...DATE_TIME, timeZone }));

const hoursIn = memoized((timeZone) =>
  moments({ hour: 'numeric', minute: '2-digit', timeZone, timeZoneName: 'short' }),
);
const shortDaysIn = memoized((timeZone) => moments({ month: 'short', day: 'numeric', timeZone }));

/** Until when something goes, by the clock of a time zone, which it names: "Today, 12:19 PM EST", "Nov 28, 12:19 PM EST". */
export function formatUntilIn(timeZone: string, moment: string, now = new Date().toISOString()): string {
  const isToday = calendarDayIn(timeZone, moment) === calendarDayIn(timeZone, now);
  return `${isToday ? 'Today' : shortDaysIn(timeZone)(moment)}, ${hoursIn(timeZone)(moment)}`;
}

const calendarDays = moments({ month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });

/** "Nov 1, 2026" of "2026-11-01". */
export const formatCalendarDay = (day: string): string => calendarDays(`${day}T00:00:00Z`);

/** The day of a moment in a time zone: "2026-11-01". */
export const calendarDayIn = (timeZone: string, moment: string): string => daysIn(timeZone)(moment);

const daysIn = memoized((timeZone) => dateFormat('en-CA', { timeZone }));

/** What the clock of a time zone shows at a moment: "2026-11-20T16:02:30". */
export const wallClockIn = (timeZone: string, moment: string | number): string =>
  wallClocksIn(timeZone)(moment).padStart(WALL_CLOCK.length, '0').replace(' ', 'T');

const WALL_CLOCK = '2026-11-20 16:02:30';
const wallClocksIn = memoized((timeZone) =>
  dateFormat('sv-SE', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone,
  }),
);

/**
 * The browser's time zone. The one use of it: when a person signed in and added a passkey, on their own account, where
 * it is compared with their own day. Everything of the shop is in the shop's.
 */
// oxlint-disable-next-line no-restricted-properties
export const browserTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

const UNITS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', Infinity],
] as const;

/** How long something took, in its largest whole unit: "40 sec", "3 min", "2 hr", "5 days". */
export function formatDuration(seconds: number): string {
  let amount = seconds;
  for (const [unit, most] of UNITS) {
    if (Math.floor(amount) < most) return numbers({ style: 'unit', unit, unitDisplay: 'short' })(Math.floor(amount));
    amount /= most;
  }
  return '';
}

const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'always' });

/** "in 5 minutes", "5 minutes ago". */
export const formatMinutesFromNow = (minutes: number): string => relative.format(minutes, 'minute');
