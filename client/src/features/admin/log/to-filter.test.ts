import { describe, expect, it } from 'vitest';
import { everything } from './log-filters';
import { toFilter } from './to-filter';

const nothing = { search: null, actor: null, action: null, kind: null, subjectId: null, from: null, to: null };

describe('the filter of the audit log', () => {
  it('asks for everything when the address names nothing', () => {
    expect(toFilter(everything)).toEqual(nothing);
  });

  it('names days and leaves to the shop when they begin', () => {
    const filter = toFilter({ ...everything, from: '2026-10-31', to: '2026-10-31' });

    expect(filter).toEqual({ ...nothing, from: '2026-10-31', to: '2026-10-31' });
  });

  it.each(['yesterday', '2026-1-1', '20261031', '2026-02-30', '2026-13-01', ''])('takes %j for no day', (day) => {
    expect(toFilter({ ...everything, from: day, to: day })).toEqual(nothing);
  });

  it('asks for the history of one thing', () => {
    expect(toFilter({ ...everything, kind: 'product', subject: 'p1' })).toEqual({
      ...nothing,
      kind: 'product',
      subjectId: 'p1',
    });
  });
});
