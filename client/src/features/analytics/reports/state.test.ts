import { describe, expect, it } from 'vitest';
import { beginning, readReport, type ReportState, writeReport } from './state';

const written = (text: string) => readReport(new URLSearchParams(text));

const inIt = (text: string) => written(`in=${text}`).range;

const full: ReportState = {
  measures: ['NET_SALES', 'ORDERS', 'AVERAGE_ORDER_VALUE', 'UNITS'],
  by: ['MONTH', 'PRODUCT', 'COUNTRY'],
  where: [
    { dimension: 'COLOR', negated: true, values: ['Black & White'] },
    { dimension: 'COUNTRY', negated: false, values: ['Sweden', 'Côte d’Ivoire, South'] },
  ],
  range: { kind: 'last', count: 18, unit: 'weeks' },
  versus: 'PREVIOUS_YEAR',
  top: { count: 5, of: 'PRODUCT' },
  sort: { by: 'ORDERS', descending: false },
  chart: 'line',
};

describe('the address of a report', () => {
  it('says everything, and is read as it was written', () => {
    expect(written(writeReport(full))).toEqual(full);
    expect(written(writeReport(beginning))).toEqual(beginning);
  });

  it('can be read by a person', () => {
    expect(writeReport({ ...beginning, versus: 'PREVIOUS_YEAR' })).toBe(
      'tab=analytics&view=reports&show=net-sales,orders&by=month,category&in=last-12-months&versus=previous-year',
    );
  });

  it('keeps periods by name, by length and by their days', () => {
    expect(inIt('this-month')).toEqual({ kind: 'preset', preset: 'THIS_MONTH' });
    expect(inIt('6-months')).toEqual({ kind: 'last', count: 6, unit: 'months' });
    expect(inIt('2026-01-01..2026-03-31')).toEqual({ kind: 'dates', from: '2026-01-01', to: '2026-03-31' });
  });

  it('is as in the beginning where it says nothing or what there is not', () => {
    const broken =
      'show=gold,,orders,orders&by=month,moon&in=2026-02-31..2025-01-01&versus=never&top=5-month&sort=tax&chart=pie';

    expect(written('')).toEqual(beginning);
    expect(written(broken)).toEqual({ ...beginning, measures: ['ORDERS'], by: ['MONTH'] });
  });

  it('can ask for the totals alone', () => {
    expect(written('by=').by).toEqual([]);
  });

  it('forgets an order and a limit whose word has been taken out', () => {
    const text = writeReport({ ...full, measures: ['NET_SALES'], by: ['MONTH'] });

    expect(text).not.toContain('sort=');
    expect(text).not.toContain('top=');
  });

  it('takes four measures and three dimensions at most', () => {
    const { measures, by } = written('show=orders,units,tax,shipping,views&by=day,color,size,city');

    expect(measures).toEqual(['ORDERS', 'UNITS', 'TAX', 'SHIPPING']);
    expect(by).toEqual(['DAY', 'COLOR', 'SIZE']);
  });
});
