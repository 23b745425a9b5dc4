import { expect, test } from 'vitest';
import { parseAmount, parseCents, parseWhole } from './amount';

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
  expect(parseWhole('')).toEqual({ value: null, invalid: false });
});

test('cents are whole numbers, without the errors of binary fractions', () => {
  expect(['19,90', '0.29', '1,234.56', '$'].map(parseCents)).toEqual([1990, 29, 123_456, null]);
});

test('a whole number has a sign only where one makes sense', () => {
  expect([parseWhole('-3', { signed: true }).value, parseWhole('-3').invalid, parseWhole('1.5').invalid]).toEqual([
    -3,
    true,
    true,
  ]);
});
