import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { readShared } from '~/graphiql/shared-query';
import { toQueryText, workbenchLink } from './query-text';
import { dimensions, measures, readReport, type ReportState } from './state';
import { behindRow, daysOf, type Sources, toVariables } from './variables';

const schema = buildSchema(readFileSync('../schema.graphql', 'utf8'));
const sources: Sources = new Map([
  ['NET_SALES', ['SALES']],
  ['SELL_THROUGH', ['SALES', 'STOCK']],
]);
const report = (text: string): ReportState => readReport(new URLSearchParams(text));

const member = (key: string | null, isOther = false) => ({ key, isOther });

describe('the query of a report', () => {
  it('can be read and run as it stands', () => {
    const state = report(
      'show=net-sales&by=month&where.country=Sweden&where.size=M&not.weekday=7&in=6-months&versus=previous-year',
    );

    expect(toQueryText(state, sources)).toBe(`query NetSalesByMonth {
  admin {
    analytics {
      report(
        range: { last: { months: 6 } }
        by: [MONTH]
        where: { size: [M], country: ["Sweden"], not: { weekday: [7] } }
        first: 1000
      ) {
        rows {
          month: dim(is: MONTH) {
            label
          }
          netSales: measure(is: NET_SALES) {
            amount
            formatted
            versus(period: PREVIOUS_YEAR) {
              formatted
              formattedChange
            }
          }
        }
        totals {
          netSales: measure(is: NET_SALES) {
            amount
            formatted
            versus(period: PREVIOUS_YEAR) {
              formatted
              formattedChange
            }
          }
        }
      }
    }
  }
}
`);
  });

  it('fits the schema whatever the report is made of', () => {
    const filters =
      'where.category=men_shirts&where.gender=men&where.subcategory=jeans&where.product=a&where.variant=b&where.color=Ecru "raw"' +
      '&where.size=XS&where.price-band=under-50&where.discounted=true&where.discount-code=-&where.country=A&where.city=B' +
      '&where.customer-kind=new&where.payment-status=paid&where.weekday=1&where.hour-of-day=23&not.city=C';
    const states = [
      ...measures.map((measure) => report(`show=${measure.toLowerCase().replaceAll('_', '-')}&by=`)),
      ...dimensions.map((dimension) => report(`by=${dimension.toLowerCase().replaceAll('_', '-')}`)),
      report(filters),
      report('show=sell-through&by=product&top=5-product&sort=product.up&in=2026-01-01..2026-02-01'),
    ];

    const faults = states.flatMap((state) => validate(schema, parse(toQueryText(state, sources))));

    expect(states).toHaveLength(46);
    expect(faults).toEqual([]);
  });

  it('travels in a link that GraphiQL reads', () => {
    const query = toQueryText(report('where.city=50%25 %26 more'), sources);

    expect(readShared(new URL(workbenchLink(query), 'https://shop.example').hash)).toEqual({
      query,
      variables: null,
      operationName: null,
    });
  });
});

describe('the variables of a report', () => {
  it('fill the slots that the report uses and leave the others out', () => {
    const variables = toVariables(report('show=net-sales,orders&by=month&in=this-month&sort=orders.up'), sources);

    expect(variables).toMatchObject({
      range: { preset: 'THIS_MONTH' },
      by: ['MONTH'],
      where: null,
      orderBy: [{ measure: 'ORDERS', direction: 'ASCENDING' }],
      rowsOf: ['SALES'],
      m1: 'NET_SALES',
      m2: 'ORDERS',
      d1: 'MONTH',
    });
    const has = Object.fromEntries(Object.entries(variables).filter(([name]) => name.startsWith('has')));
    expect(has).toEqual({
      hasD1: true,
      hasD2: false,
      hasD3: false,
      hasM2: true,
      hasM3: false,
      hasM4: false,
      hasVersus: false,
    });
  });

  it('ask for the members of every source that a measure is counted from', () => {
    expect(toVariables(report('show=sell-through&by=product'), sources).rowsOf).toEqual(['SALES', 'STOCK']);
  });
});

describe('the orders behind a row', () => {
  const year = { from: '2025-12-01', to: '2026-11-30' };

  it('are those of its time and its members', () => {
    const state = report('by=month,category&where.country=Sweden&where.category=men_shirts&where.category=men_jeans');

    expect(behindRow(state, [member('2026-02-01'), member('men_jeans')], year)).toEqual({
      range: { dates: { from: '2026-02-01', to: '2026-02-28' } },
      where: { country: ['Sweden'], category: ['men_jeans'] },
    });
  });

  it('do not reach beyond the range of the report', () => {
    const rowVariables = behindRow(report('by=week'), [member('2026-06-01')], { from: '2026-06-03', to: '2026-06-05' });

    expect(rowVariables?.range).toEqual({ dates: { from: '2026-06-03', to: '2026-06-05' } });
  });

  it('are found for an hour of a day, a weekday and orders without a code', () => {
    expect(behindRow(report('by=hour'), [member('2026-06-03T09:00')], year)).toEqual({
      range: { dates: { from: '2026-06-03', to: '2026-06-03' } },
      where: { hourOfDay: [9] },
    });
    expect(behindRow(report('by=weekday,discount-code'), [member('7'), member(null)], year)?.where).toEqual({
      weekday: [7],
      discountCode: [null],
    });
  });

  it('cannot be told for the row of all others', () => {
    expect(behindRow(report('by=product'), [member('other', true)], year)).toBeNull();
  });

  it('of a time are those from its first to its last day', () => {
    expect(daysOf('QUARTER', '2024-01-01')).toEqual({ from: '2024-01-01', to: '2024-03-31' });
    expect(daysOf('MONTH', '2024-02-01')).toEqual({ from: '2024-02-01', to: '2024-02-29' });
    expect(daysOf('WEEK', '2026-12-28')).toEqual({ from: '2026-12-28', to: '2027-01-03' });
    expect(daysOf('DAY', '2026-11-21')).toEqual({ from: '2026-11-21', to: '2026-11-21' });
  });
});
