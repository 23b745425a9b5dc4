import { describe, expect, it } from 'vitest';
import { chartData, fittingCharts, heatData, type ReportAnswer, type ReportRow } from './chart-data';
import { outcomeWords, partWords } from './notes';
import { readReport } from './state';

const report = (text: string) => readReport(new URLSearchParams(text));

function row(keys: readonly string[], amount: string | null, before: string | null = null): ReportRow {
  const [d1, d2] = keys.map((key) => ({ key, label: `<${key}>`, isPart: false, isOther: false }));
  const cell = { amount, formatted: `$${amount}`, unit: 'MONEY' as const };
  const versus = { amount: before, formatted: '', formattedChange: '', range: { from: '', to: '' } };
  return { ...(d1 && { d1 }), ...(d2 && { d2 }), m1: before === null ? cell : { ...cell, versus } };
}

describe('the pictures that fit a report', () => {
  it('are lines where there is time, stacks where sums add up, a heat map of two that are no time', () => {
    expect(fittingCharts(report('by='), true)).toEqual([]);
    expect(fittingCharts(report('by=color'), true)).toEqual(['bar']);
    expect(fittingCharts(report('by=month'), true)).toEqual(['line', 'bar']);
    expect(fittingCharts(report('by=month,category'), true)).toEqual(['stacked', 'line', 'bar']);
    expect(fittingCharts(report('by=month,category'), false)).toEqual(['line', 'bar']);
    expect(fittingCharts(report('by=weekday,hour-of-day'), false)).toEqual(['heat', 'bar']);
  });
});

describe('a chart', () => {
  it('has time along its axis, a series for each member, the largest first', () => {
    const rows = [
      row(['jeans', '2026-02-01'], '5'),
      row(['shirts', '2026-01-01'], '9'),
      row(['jeans', '2026-01-01'], '1'),
    ];

    const data = chartData(report('by=category,month'), rows, true, '2026-11-21');

    expect(data.labels).toEqual(['<2026-01-01>', '<2026-02-01>']);
    expect(data.series).toEqual([
      { name: '<shirts>', values: [9, null] },
      { name: '<jeans>', values: [1, 5] },
    ]);
  });

  it('ends where time has come to, while what it is compared with goes on', () => {
    const rows = [row(['2026-11-21'], '7', '3'), row(['2026-11-22'], '0', '4')];

    const data = chartData(report('by=day&versus=previous-month'), rows, true, '2026-11-21');

    expect(data.series[0]?.values).toEqual([7, null]);
    expect(data.before).toEqual({ name: 'Month before', values: [3, 4] });
  });

  it.each([
    [
      'price-band',
      ['150-up', '50-to-100', 'under-50', '100-to-150'],
      ['under-50', '50-to-100', '100-to-150', '150-up'],
    ],
    ['size', ['XL', 'S', 'M'], ['S', 'M', 'XL']],
  ])('puts each %s in order, and Other last', (dimension, keys, inOrder) => {
    const other = { key: 'other', label: '<other>', isPart: false, isOther: true };
    const rows = [{ ...row(['other'], '9'), d1: other }, ...keys.map((key) => row([key], '1'))];

    const { labels } = chartData(report(`by=${dimension}`), rows, true, '2026-11-21');

    expect(labels).toEqual([...inOrder, 'other'].map((key) => `<${key}>`));
  });

  it('puts weekdays and hours in their own order, the longer of the two across', () => {
    const rows = [row(['2', '10'], '1'), row(['1', '9'], '2'), row(['1', '8'], null)];

    expect(heatData(['WEEKDAY', 'HOUR_OF_DAY'], rows)).toEqual({
      rows: ['<1>', '<2>'],
      columns: ['<8>', '<9>', '<10>'],
      values: [
        [null, 2, null],
        [null, null, 1],
      ],
    });
  });
});

describe('what is said of a report', () => {
  const meta = {
    asOf: '2026-11-21T23:30:00Z',
    timeZone: 'UTC',
    cost: 214,
    costLimit: 5000,
    milliseconds: 38,
    isPart: true,
    notes: [],
  };
  const month = { d1: { key: '2026-11-01', label: 'Nov 2026', isPart: true, isOther: false } };
  const cell = { amount: '1', formatted: '$1', unit: 'MONEY' as const };
  const answer: ReportAnswer = {
    rowCount: 60,
    range: { from: '2025-12-01', to: '2026-11-30', timeZone: 'UTC' },
    rows: Array.from({ length: 60 }, () => ({ ...month, m1: cell })),
    totals: { m1: cell },
    meta,
  };

  it('is how many rows, how quick and how dear', () => {
    expect(outcomeWords(report('show=net-sales'), answer)).toBe(
      '60 rows in 38 ms. Cost 214 of 5,000. Refunds count on the day they were paid back.',
    );
    expect(outcomeWords(report('show=units'), { ...answer, rowCount: 1200 })).toBe(
      '1,200 rows in 38 ms. Cost 214 of 5,000. The first 60 are shown; the file has all.',
    );
  });

  it('is from when to when it is compared', () => {
    const range = { from: '2025-10-06', to: '2025-11-23' };
    const versus = { amount: '1', formatted: '$1', formattedChange: '0.0%', range };
    const totals = { m1: { ...cell, versus } };

    expect(outcomeWords(report('by=week&show=units&versus=previous-year'), { ...answer, totals })).toBe(
      '60 rows in 38 ms. Cost 214 of 5,000. Compared with Oct 6, 2025 to Nov 23, 2025, week by week.',
    );
    expect(outcomeWords(report('by=month&show=units&versus=previous-year'), { ...answer, totals })).toContain(
      'Compared with Oct 6, 2025 to Nov 23, 2025.',
    );
  });

  it('is how much of the running time has come, by the clock of the shop', () => {
    const compared = report('by=month&versus=previous-year');
    const inStockholm = { ...answer, meta: { ...meta, timeZone: 'Europe/Stockholm' } };

    expect(partWords(compared, answer)).toBe(
      'Nov 2026 is not over: 21 of 30 days. Compared with the same 21 days, up to the same hour.',
    );
    expect(partWords(report('by=month'), inStockholm)).toBe('Nov 2026 is not over: 22 of 30 days.');
    expect(partWords(compared, { ...answer, meta: { ...meta, isPart: false } })).toBe('');
  });
});
