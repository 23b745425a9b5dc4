import { describe, expect, it } from 'vitest';
import { apart, axisWords, largest, ticksUpTo, valueWords } from './series';

describe('series', () => {
  const eight = Array.from({ length: 8 }, (_, place) => ({ name: `s${place}`, values: [place, null] }));

  it('beyond the five largest are one, where they add up', () => {
    const { series, left } = largest(eight, true, 'All others');

    expect(series.map(({ name }) => name)).toEqual(['s7', 's6', 's5', 's4', 's3', 'All others']);
    expect(series.at(-1)?.values).toEqual([0 + 1 + 2, null]);
    expect(left).toBe(0);
  });

  it('beyond the six largest are left out and counted, where they do not', () => {
    const { series, left } = largest(eight, false, 'All others');

    expect(series.map(({ name }) => name)).toEqual(['s7', 's6', 's5', 's4', 's3', 's2']);
    expect(left).toBe(2);
  });
});

describe('an axis', () => {
  it('has a few round numbers and room for the highest', () => {
    expect(ticksUpTo(17_300)).toEqual([0, 5000, 10_000, 15_000, 20_000]);
    expect(ticksUpTo(1)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(ticksUpTo(0)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(ticksUpTo(80, -30)).toEqual([-50, 0, 50, 100]);
  });

  it('is short of words, a value in full is not', () => {
    expect(axisWords(1800, 'MONEY')).toBe('$1.8k');
    expect(axisWords(0, 'MONEY')).toBe('0');
    expect(axisWords(40, 'PERCENT')).toBe('40%');
    expect(valueWords(1234.5, 'MONEY')).toBe('$1,234.50');
    expect(valueWords(null, 'COUNT')).toBe('–');
  });
});

describe('names beside the last values', () => {
  it('stand where they belong, or as near as the others let them', () => {
    expect(apart([100, 20], 16, 0, 200)).toEqual([100, 20]);
    expect(apart([50, 52, 51], 16, 0, 200)).toEqual([50, 82, 66]);
    expect(apart([198, 199], 16, 0, 200)).toEqual([184, 200]);
  });
});
