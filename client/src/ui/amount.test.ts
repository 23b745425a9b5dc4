import { expect, test } from 'vitest';
import { parseAmount, parseCents, parseWhole } from './amount';
import { localMoment, parseMoment } from './moment';

test.each([
  ['19.90', '19.90'],
  ['19,90', '19.90'],
  ['12,5', '12.50'],
  ['$5', '5.00'],
  ['.5', '0.50'],
  ['5.', '5.00'],
  [' 1,234.5 ', '1234.50'],
  ['1,250', '1250.00'],
  ['1 250', '1250.00'],
  ['007', '7.00'],
  ['0', '0.00'],
])('"%s" dollars are %s', (typed, value) => {
  expect(parseAmount(typed)).toEqual({ value, invalid: false });
});

test.each(['$', '.', ',', '-5', '1.234', '12,5000', '1,23,456', '1,2345', 'five', '1e3', '9999999999'])(
  '"%s" is no amount',
  (typed) => {
    expect(parseAmount(typed)).toEqual({ value: null, invalid: true });
  },
);

test('an empty field is neither an amount nor a mistake', () => {
  expect(parseAmount('  ')).toEqual({ value: null, invalid: false });
  expect(parseMoment('')).toEqual({ value: null, invalid: false });
  expect(parseWhole('')).toEqual({ value: null, invalid: false });
});

test('cents are whole numbers, without the errors of binary fractions', () => {
  expect(['19,90', '0.29', '1,234.56', '$'].map(parseCents)).toEqual([1990, 29, 123_456, null]);
});

test.each(['12026-01-01T00:00', '2026-13-01T00:00', '2026-01-01', 'soon'])(
  '"%s" is no moment, and breaks nothing',
  (typed) => {
    expect(parseMoment(typed)).toEqual({ value: null, invalid: true });
  },
);

test('a moment goes to the schema and back', () => {
  const { value } = parseMoment('2026-05-01T09:30');

  expect(value).toBe(new Date(2026, 4, 1, 9, 30).toISOString());
  expect(localMoment(value)).toBe('2026-05-01T09:30');
});

test('a whole number has a sign only where one makes sense', () => {
  expect([parseWhole('-3', { signed: true }).value, parseWhole('-3').invalid, parseWhole('1.5').invalid]).toEqual([
    -3,
    true,
    true,
  ]);
});
