import { expect, test } from 'vitest';
import { formatTypedMoment, isMoment, localMomentIn, parseMomentIn } from './moment';

test.each(['12026-01-01T00:00', '2026-13-01T00:00', '2026-01-01', 'soon'])(
  '"%s" is no moment, and breaks nothing',
  (typed) => {
    expect(isMoment(typed)).toBe(false);
    expect(parseMomentIn('America/New_York', typed)).toEqual({ value: null, invalid: true });
  },
);

test('an empty field is neither a moment nor a mistake', () => {
  expect(parseMomentIn('UTC', '')).toEqual({ value: null, invalid: false });
  expect([null, undefined].map((moment) => localMomentIn('UTC', moment))).toEqual(['', '']);
});

test.each([
  ['UTC', '2026-05-01T09:30', '2026-05-01T09:30:00.000Z'],
  ['America/New_York', '2026-05-01T09:30', '2026-05-01T13:30:00.000Z'],
  ['America/New_York', '2026-12-31T23:59', '2027-01-01T04:59:00.000Z'],
  ['Pacific/Kiritimati', '2026-01-01T00:00', '2025-12-31T10:00:00.000Z'],
  ['Asia/Kathmandu', '2026-05-01T09:30', '2026-05-01T03:45:00.000Z'],
  // The clock is put back and shows it twice: the first is meant.
  ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
  ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45:00.000Z'],
  ['Pacific/Auckland', '9999-12-31T23:59', '9999-12-31T10:59:00.000Z'],
  ['Pacific/Auckland', '0001-06-01T12:00', '0001-06-01T00:20:56.000Z'],
])('by the clock of %s, %s is a moment of the schema and back', (timeZone, typed, moment) => {
  expect(parseMomentIn(timeZone, typed)).toEqual({ value: moment, invalid: false });
  expect(localMomentIn(timeZone, moment)).toBe(typed);
});

test('a time that the clock skips is read by the clock before', () => {
  const { value } = parseMomentIn('America/New_York', '2026-03-08T02:30');

  expect(localMomentIn('America/New_York', value)).toBe('2026-03-08T03:30');
});

test('what is typed is put into words in whatever time zone the browser is', () => {
  expect(formatTypedMoment('2026-11-20T16:02')).toBe('Nov 20, 2026, 16:02');
});
