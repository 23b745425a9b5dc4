import { describe, expect, it } from 'vitest';
import { addsUp, dimensionRefusal, type Guide, measureRefusal } from './fit';

const measure = { label: '', formula: '', rowsOf: [] } as const;
const guide: Guide = {
  measures: [
    { ...measure, name: 'NET_SALES', unit: 'MONEY', addsUp: true, goesWith: ['MONTH', 'CATEGORY'], rowsOf: ['SALES'] },
    { ...measure, name: 'STOCK_ON_HAND', unit: 'COUNT', addsUp: false, goesWith: ['CATEGORY'], rowsOf: ['STOCK'] },
  ],
  dimensions: [],
};

describe('what goes with what', () => {
  it('is offered, and what does not fit says why', () => {
    expect(measureRefusal(guide, { by: ['CATEGORY'], where: [] }, 'STOCK_ON_HAND')).toBeNull();
    expect(measureRefusal(guide, { by: ['MONTH'], where: [] }, 'STOCK_ON_HAND')).toBe(
      'Cannot be split or filtered by month',
    );
    expect(dimensionRefusal(guide, { measures: ['NET_SALES', 'STOCK_ON_HAND'] }, 'MONTH')).toBe(
      'Stock on hand cannot be split or filtered by it',
    );
  });

  it('minds filters too', () => {
    const where = [{ dimension: 'MONTH', negated: true, values: ['x'] }] as const;

    expect(measureRefusal(guide, { by: [], where }, 'STOCK_ON_HAND')).toBe('Cannot be split or filtered by month');
  });

  it('is stacked only when it adds up', () => {
    expect(addsUp(guide, { measures: ['NET_SALES'] })).toBe(true);
    expect(addsUp(guide, { measures: ['STOCK_ON_HAND'] })).toBe(false);
  });
});
