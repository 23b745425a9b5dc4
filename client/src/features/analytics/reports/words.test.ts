import { describe, expect, it } from 'vitest';
import { beginning } from './state';
import { filterWords, rangeWords, titleOf } from './words';

const said = (range: Parameters<typeof rangeWords>[0]) => Object.values(rangeWords(range)).join(' ').trim();

describe('the sentence of a report', () => {
  it('names members as people do, and counts those beyond three', () => {
    expect(filterWords({ dimension: 'CATEGORY', negated: true, values: ['men_shirts'] })).toBe(
      'category is not Men, shirts',
    );
    expect(filterWords({ dimension: 'WEEKDAY', negated: false, values: ['1', '7'] })).toBe(
      'weekday is Monday or Sunday',
    );
    expect(filterWords({ dimension: 'DISCOUNTED', negated: false, values: ['false'] })).toBe('it is full price');
    expect(filterWords({ dimension: 'CITY', negated: false, values: ['A', 'B', 'C', 'D'] })).toBe(
      'city is A, B or 2 more',
    );
    expect(
      filterWords({ dimension: 'PRODUCT', negated: false, values: ['p1'] }, new Map([['p1', 'Oxford Shirt']])),
    ).toBe('product is Oxford Shirt');
  });

  it('says every kind of period as it is said', () => {
    expect(said({ kind: 'preset', preset: 'LAST_30_DAYS' })).toBe('in the last 30 days');
    expect(said({ kind: 'preset', preset: 'THIS_MONTH' })).toBe('this month');
    expect(said({ kind: 'last', count: 1, unit: 'months' })).toBe('in the last month');
    expect(said({ kind: 'dates', from: '2026-01-01', to: '2026-03-31' })).toBe('from Jan 1, 2026 to Mar 31, 2026');
  });

  it('has a title made of its first measure', () => {
    expect(titleOf(beginning)).toBe('Net sales by month and category');
    expect(titleOf({ measures: ['SELL_THROUGH'], by: [] })).toBe('Sell-through');
  });
});
