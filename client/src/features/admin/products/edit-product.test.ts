import { describe, expect, it } from 'vitest';
import type { ProductDraft } from './product-draft';
import type { EditContext } from './product-field';
import { changesBetween, draftOf, editInput, problemsOf, rebase } from './product-fields';
import type { EditableProductFragment } from './product-form.generated';
import { blockOf, inUnits, parseLength, withBlock } from './measurement-draft';

const jean: EditableProductFragment = {
  id: 'p1',
  version: 3,
  name: 'Straight Jean',
  title: 'Straight Jean',
  subtitle: 'Washed denim',
  description: 'A paragraph.',
  details: [],
  measurements: [
    {
      point: 'FRONT_RISE',
      lengths: [
        { size: 'S', micrometers: 273_050 },
        { size: 'M', micrometers: 281_000 },
      ],
    },
  ],
  price: '120.00',
  discountedPrice: null,
  discountStartsAt: null,
  discountEndsAt: '2026-11-30T23:59:30Z',
  isOnSale: false,
  category: { id: 'men_jeans', department: { key: 'men' }, kind: { key: 'jeans' } },
  weightGrams: 600,
  isRetired: false,
  colors: [
    { id: 'c1', name: 'Indigo', hex: '#3f4f6e', isRetired: false, sold: 12 },
    { id: 'c2', name: 'Black', hex: '#262524', isRetired: true, sold: 1 },
  ],
  variants: [
    { id: 'v1', colorId: 'c1', size: 'S', sku: 'MJ1-S', stock: 6, reserved: 0, sold: 5, isRetired: false },
    { id: 'v2', colorId: 'c1', size: 'M', sku: 'MJ1-M', stock: 2, reserved: 1, sold: 7, isRetired: false },
    { id: 'v3', colorId: 'c2', size: 'M', sku: 'MJ2-M', stock: 4, reserved: 0, sold: 1, isRetired: true },
  ],
  pictures: [],
  sold: 13,
  revenue: '1560.00',
  reserved: 1,
  reservedSince: null,
  changedAt: '2026-11-20T16:02:00Z',
  changedBy: 'admin@minimal.test',
};
const pictured: EditableProductFragment = {
  ...jean,
  pictures: [{ colorId: 'c1', alt: '', image: { id: 'i1', alt: '', avif: '/i1.avif', fallback: '/i1.jpeg' } }],
};
const base = draftOf(jean, 'UTC');
const context: EditContext = { product: jean, points: ['WAIST', 'FRONT_RISE'], timeZone: 'UTC' };
const labels = (draft: ProductDraft) => changesBetween(base, draft).map(({ label }) => label);
const stock = (size: string, pieces: string) => ({
  ...base.cells,
  [`c1:${size}`]: { stock: pieces, sku: `MJ1-${size}` },
});

describe('what differs between two forms', () => {
  it('is nothing for the same form', () => {
    expect(labels(draftOf(jean, 'UTC'))).toEqual([]);
  });

  it('is named field by field and cell by cell', () => {
    expect(labels({ ...base, price: '99.00', cells: stock('M', '5') })).toEqual(['price', 'Indigo M']);
  });

  it('says what is lost with a color or a size', () => {
    expect(labels({ ...base, colors: [] })).toEqual(['Indigo taken off with 8 pieces']);
    expect(labels({ ...base, sizes: ['S'] })).toEqual(['size M taken off with 2 pieces']);
  });

  it('counts a color that is put back', () => {
    const colors = [...base.colors, { key: 'c2', name: 'Black', hex: '#262524' }];

    expect(labels({ ...base, colors })).toEqual(['color Black']);
  });
});

describe('changes on top of what somebody else has saved', () => {
  it('keeps mine where I changed something and takes theirs everywhere else', () => {
    const theirs = draftOf({ ...jean, price: '130.00', subtitle: 'Raw denim' }, 'UTC');
    const mine = { ...base, price: '99.00', cells: stock('S', '9') };

    const merged = rebase(base, mine, theirs);

    expect([merged.price, merged.subtitle, merged.cells['c1:S']?.stock, merged.cells['c1:M']?.stock]).toEqual([
      '99.00',
      'Raw denim',
      '9',
      '2',
    ]);
  });
});

describe('what is sent', () => {
  it('is the whole product, with the stock that was seen and moments to the second', () => {
    const input = editInput({ ...base, cells: stock('M', '5') }, context);

    expect(input.variants).toEqual([
      { color: 0, size: 'S', stock: 6, seenStock: 6, sku: 'MJ1-S' },
      { color: 0, size: 'M', stock: 5, seenStock: 2, sku: 'MJ1-M' },
    ]);
    expect([input.title, input.discountEndsAt]).toEqual(['', '2026-11-30T23:59:30Z']);
  });

  it("has the moments of a discount as the shop's clock shows them", () => {
    const timeZone = 'America/New_York';
    const draft = { ...draftOf(jean, timeZone), discountStartsAt: '2026-11-19T22:30' };

    const input = editInput(draft, { ...context, timeZone });

    expect(draft.discountEndsAt).toBe('2026-11-30T18:59');
    expect(input.discountStartsAt).toBe('2026-11-20T03:30:00.000Z');
    expect(input.discountEndsAt).toBe('2026-11-30T23:59:30Z');
    expect(changesBetween(draftOf(jean, timeZone), draft)).toEqual([
      { key: 'discountStartsAt', label: 'discount start', from: 'none', to: 'Nov 19, 2026, 22:30' },
    ]);
  });
});

describe('what keeps a form from being saved', () => {
  it('is named with the words of the creation form', () => {
    const broken = {
      ...base,
      name: ' ',
      price: '0',
      discountedPrice: 'x',
      subcategory: '' as const,
      colors: [],
      sizes: [],
    };

    expect(problemsOf(broken, jean)).toEqual({
      name: 'Product name is required',
      price: 'Invalid price value',
      discountedPrice: 'Invalid discounted price value',
      subcategory: 'Product category is required',
      colors: 'At least one color must be selected',
      sizes: 'At least one size must be selected',
    });
  });

  it('asks for a picture only where there was one', () => {
    expect(problemsOf(base, pictured)).toEqual({ images: 'Product image is required' });
    expect(problemsOf(base, jean)).toEqual({});
  });
});

it('names a discount that begins in a year of five digits as it was typed, and breaks nothing', () => {
  const later = { ...base, discountStartsAt: '12026-01-01T00:00' };

  expect(changesBetween(base, later)).toEqual([
    { key: 'discountStartsAt', label: 'discount start', from: 'none', to: '12026-01-01T00:00' },
  ]);
  expect(problemsOf(later, jean)).toMatchObject({ discountStartsAt: 'Enter a date with a year of four digits' });
});

const withLength = (key: string, text: string, draft = base) => ({
  ...draft,
  lengths: { ...draft.lengths, [key]: { typed: text, micrometers: parseLength(text, draft.lengthUnits) } },
});
const measurementsSent = (draft: ProductDraft) => editInput(draft, context).measurements;

describe('measurements', () => {
  it('take a block of a spreadsheet from the cell on that it is pasted into, as far as the table goes', () => {
    const block = blockOf('31\t32,5\t33\r\n10.5\t \t12\r\n1\t2\t3\r\n');
    const lengths = block ? withBlock(base.lengths, block, ['WAIST', 'FRONT_RISE'], ['S', 'M'], 'in') : {};

    expect(blockOf('31')).toBeNull();
    expect(measurementsSent({ ...base, lengths })).toEqual([
      { point: 'WAIST', size: 'S', micrometers: 787_400 },
      { point: 'WAIST', size: 'M', micrometers: 825_500 },
      { point: 'FRONT_RISE', size: 'S', micrometers: 266_700 },
    ]);
  });

  it('are shown in inches or centimeters, and no length changes by looking at it', () => {
    const centimeters = { ...base, lengthUnits: 'cm' as const, lengths: inUnits(base.lengths, 'cm') };
    const back = { ...base, lengths: inUnits(centimeters.lengths, 'in') };

    expect(Object.values(base.lengths).map((length) => length.typed)).toEqual(['10.75', '11.06']);
    expect(Object.values(centimeters.lengths).map((length) => length.typed)).toEqual(['27.31', '28.1']);
    expect(labels(centimeters)).toEqual([]);
    expect(measurementsSent(back)).toEqual(measurementsSent(base));
  });

  it('are sent whole, of the points of the kind and the sizes that are made', () => {
    const draft = withLength(
      'measurements.waist.S',
      '31',
      withLength('measurements.hem.S', '8', { ...base, sizes: ['S'] }),
    );

    expect(measurementsSent(draft)).toEqual([
      { point: 'WAIST', size: 'S', micrometers: 787_400 },
      { point: 'FRONT_RISE', size: 'S', micrometers: 273_050 },
    ]);
  });

  it('are named cell by cell, in changes and in what is wrong with them', () => {
    const draft = withLength('measurements.front_rise.M', '', withLength('measurements.waist.S', 'wide'));

    expect(labels(draft)).toEqual(['front rise M', 'waist S']);
    expect(problemsOf(draft, jean)).toEqual({ 'measurements.waist.S': '1 to 300 cm' });
    expect(problemsOf(withLength('measurements.waist.S', '118.2'), jean)).toHaveProperty(['measurements.waist.S']);
  });

  it('keep mine where I changed a cell and take theirs everywhere else', () => {
    const measurements: typeof jean.measurements = [{ point: 'WAIST', lengths: [{ size: 'M', micrometers: 838_200 }] }];
    const theirs = draftOf({ ...jean, measurements }, 'UTC');

    const merged = rebase(base, withLength('measurements.front_rise.S', '11'), theirs);

    expect(measurementsSent(merged)).toEqual([
      { point: 'WAIST', size: 'M', micrometers: 838_200 },
      { point: 'FRONT_RISE', size: 'S', micrometers: 279_400 },
    ]);
  });
});
