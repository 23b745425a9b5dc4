import { expect, it } from 'vitest';
import * as format from './format';

const evening = '2026-11-20T03:02:30Z';

it.each([
  [format.formatDayIn, 'Nov 19, 2026'],
  [format.formatLongDayIn, 'November 19, 2026'],
  [format.formatMomentIn, 'Nov 19, 2026, 10:02 PM'],
  [format.formatSecondIn, 'Nov 19, 2026, 10:02:30 PM'],
  [format.formatFieldMomentIn, 'Nov 19, 2026, 22:02'],
  [format.formatRecentMomentIn, 'Nov 19, 10:02 PM'],
  [format.calendarDayIn, '2026-11-19'],
  [format.wallClockIn, '2026-11-19T22:02:30'],
])('puts a moment into words by the clock of New York, wherever the browser is', (put, words) => {
  expect(format.browserTimeZone()).toBe('Pacific/Auckland');
  expect(put('America/New_York', evening).replaceAll('\u202f', ' ')).toBe(words);
});

it('knows a calendar day in any time zone', () => {
  expect(format.formatCalendarDay('2026-11-01')).toBe('Nov 1, 2026');
  expect(format.calendarDayIn('Asia/Tokyo', '2026-10-31T18:00:00Z')).toBe('2026-11-01');
});

it.each([
  ['Pacific/Kiritimati', 'Nov 21, 2026, 5:30 AM'],
  ['Australia/Lord_Howe', 'Nov 21, 2026, 2:30 AM'],
  ['America/New_York', 'Nov 20, 2026, 10:30 AM'],
])('puts a moment into words by the clock of %s', (timeZone, words) => {
  expect(format.formatMomentIn(timeZone, '2026-11-20T15:30:00Z').replaceAll('\u202f', ' ')).toBe(words);
});

it.each([
  [format.formatNumber, 1234, '1,234'],
  [format.formatDecimal, 1234.567, '1,234.57'],
  [format.formatCompact, 1840, '1.8K'],
  [format.formatShare, 0.4, '40%'],
  [format.formatDollars, 1234.5, '$1,234.50'],
  [format.formatMinutesFromNow, 5, 'in 5 minutes'],
  [format.formatDuration, 0.4, '0 sec'],
  [format.formatDuration, 59.9, '59 sec'],
  [format.formatDuration, 60, '1 min'],
  [format.formatDuration, 3_599, '59 min'],
  [format.formatDuration, 2 * 3_600, '2 hr'],
  [format.formatDuration, 86_400, '1 day'],
  [format.formatDuration, 400 * 86_400, '400 days'],
])('puts a number into words', (put, value, words) => {
  expect(put(value)).toBe(words);
});
