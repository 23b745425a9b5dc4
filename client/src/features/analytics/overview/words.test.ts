import { describe, expect, it } from 'vitest';
import { busiestWords, funnelWords, salesWords, shareWords } from './words';

const said = (...given: Parameters<typeof salesWords>) => Object.values(salesWords(...given)).join('');

describe('the sentence under a chart', () => {
  it('says what was sold, and how that compares', () => {
    const sum = { now: '$21,338.00', change: '8.40', changeWords: '+8.4%', days: 21, isPart: true };

    expect(said(sum, 'PREVIOUS_PERIOD')).toBe(
      '$21,338.00 in 21 days, +8.4% on the first 21 days of the period before, up to the same hour.',
    );
    expect(said({ ...sum, isPart: false, days: 1 }, 'PREVIOUS_YEAR')).toBe(
      '$21,338.00 in 1 day, +8.4% on the year before.',
    );
    expect(said({ ...sum, change: null }, 'PREVIOUS_YEAR')).toBe(
      '$21,338.00 in 21 days; nothing was sold in the year before.',
    );
  });

  it('says where most visits turn back', () => {
    const steps = [
      { name: 'viewed', visits: 3620, ofPrevious: null },
      { name: 'added', visits: 543, ofPrevious: '15.00' },
      { name: 'checkout', visits: 217, ofPrevious: '39.96' },
      { name: 'paid', visits: 163, ofPrevious: '75.12' },
    ];

    expect(funnelWords(steps)).toBe('Of 3,620 visits, 163 paid. Most turn back before anything is in the cart.');
    expect(funnelWords(steps.map((step) => ({ ...step, visits: 0 })))).toBe(
      'Nobody who lets visits be counted has come in this period.',
    );
  });

  it('says when most orders come, and what brings most', () => {
    const cells = [
      { row: 'Monday', column: '09:00', value: 2 },
      { row: 'Sunday', column: '23:00', value: 7 },
    ];

    expect(busiestWords(cells)).toBe('Most often on Sundays from 23:00 to 00:00.');
    expect(busiestWords([])).toBe('No order has come in the last 90 days.');
    expect(
      shareWords([
        { name: 'Men, jeans', sum: 30 },
        { name: 'Men, shirts', sum: 70 },
      ]),
    ).toBe('Men, shirts brought most: 70% of $100 in twelve months.');
  });
});
