import { describe, expect, it } from 'vitest';
import { spanWords } from './times';

describe('a span of minutes', () => {
  it.each([
    [120, '2 hours'],
    [60, '1 hour'],
    [90, '90 minutes'],
    [1, '1 minute'],
    [0, '0 minutes'],
  ])('of %i is said as %s', (minutes, words) => {
    expect(spanWords(minutes)).toBe(words);
  });
});
