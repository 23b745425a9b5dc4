import { EMPTY, INVALID, type Parsed } from './amount';
import { formatFieldMomentIn, wallClockIn } from './format';

const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/;
const DAY_MS = 86_400_000;
/** With six digits of the year, behind a sign, the day after 9999-12-31 is read as well. */
const EXPANDED = '002026-11-20T16:02:30'.length;

/** How far the clock of a time zone is ahead of UTC at a whole second. Both in milliseconds. */
const offsetIn = (timeZone: string, at: number) =>
  Date.parse(`+${wallClockIn(timeZone, at).padStart(EXPANDED, '0')}Z`) - at;

/**
 * The first moment at which the clock of a time zone shows `wall`, itself written as if it were of UTC. A time that the
 * clock skips in spring is read by the clock before: 2:30 is then 3:30.
 */
function momentAt(timeZone: string, wall: number): number {
  const before = offsetIn(timeZone, wall - DAY_MS);
  const after = offsetIn(timeZone, wall + DAY_MS);
  const shown = [wall - before, wall - after].filter((at) => at + offsetIn(timeZone, at) === wall);
  return shown.length > 0 ? Math.min(...shown) : wall - before;
}

const wallOf = (typed: string) => (LOCAL.test(typed) ? Date.parse(`${typed}Z`) : Number.NaN);

/** Whether a `datetime-local` field is empty or has a moment. Years have four digits. */
export const isMoment = (typed: string): boolean => !typed || !Number.isNaN(wallOf(typed));

/** What a `datetime-local` field says by the clock of a time zone, as the schema takes it. */
export function parseMomentIn(timeZone: string, typed: string): Parsed<string> {
  if (!typed) return EMPTY;
  if (!isMoment(typed)) return INVALID;
  const wall = wallOf(typed);
  const seconds = Math.floor(wall / 1000) * 1000;
  return { value: new Date(momentAt(timeZone, seconds) + wall - seconds).toISOString(), invalid: false };
}

/** A moment of the schema as a `datetime-local` field shows it, by the clock of a time zone. */
export const localMomentIn = (timeZone: string, moment: string | null | undefined): string =>
  moment ? wallClockIn(timeZone, moment).slice(0, -':30'.length) : '';

/** What a `datetime-local` field says, in words: "Nov 20, 2026, 16:02". Needs one that has a moment. */
export const formatTypedMoment = (typed: string): string => formatFieldMomentIn('UTC', `${typed}Z`);
