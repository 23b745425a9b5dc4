import { readFileSync } from 'node:fs';
import { buildSchema, isInputObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { cellsOf, emptyDraft, type ProductDraft, sumOf, withExactStock } from './product-draft';
import {
  changesBetween,
  createInput,
  editInput,
  placeErrors,
  problemsOf,
  rebase,
  withoutAnswered,
} from './product-fields';
import type { EditableProductFragment } from './product-form.generated';
import { textFields } from './text-fields';

const indigo = { key: 'k1', name: 'Indigo', hex: '#2f4e7d' };
const black = { key: 'k2', name: 'Black', hex: '#000000' };
const front = { key: 'i1', imageId: 'p1', colorKey: 'k2', alt: '', src: 'blob:1' };
const back = { ...front, key: 'i2', imageId: 'p2', colorKey: '' };
const cells = (pieces: Record<string, string>) =>
  Object.fromEntries(Object.entries(pieces).map(([key, stock]) => [key, { stock, sku: '' }]));

const good: ProductDraft = {
  ...emptyDraft,
  name: 'Straight Jean',
  subtitle: 'Washed 12 oz denim',
  description: 'Straight from hip to hem.',
  price: '120',
  gender: 'men',
  subcategory: 'jeans',
  colors: [indigo, black],
  sizes: ['S', 'M'],
  stock: '12',
  pictures: [front, back],
};
const problems = (edits: Partial<ProductDraft>) => problemsOf({ ...good, ...edits }, null);

describe('a new product', () => {
  it('can be sent when it is whole', () => {
    expect(problems({})).toEqual({});
    expect(problems({ discountedPrice: '96.50' })).toEqual({});
  });

  it.each([' ', '\u00a0', '\u200b', '\u3164'])('takes no text of blanks: %j', (blank) => {
    const texts = { name: blank, subtitle: blank, description: blank };

    expect(problems(texts)).toEqual({
      name: 'Product name is required',
      subtitle: 'Product subtitle is required',
      description: 'Product description is required',
    });
  });

  // spec: validation.product
  it('names everything that is missing', () => {
    expect(problemsOf(emptyDraft, null)).toEqual({
      name: 'Product name is required',
      subtitle: 'Product subtitle is required',
      description: 'Product description is required',
      price: 'Invalid price value',
      gender: 'Select a gender',
      subcategory: 'Product category is required',
      colors: 'At least one color must be selected',
      sizes: 'At least one size must be selected',
      stock: 'Invalid stock value',
      images: 'Product image is required',
    });
  });

  it.each(['0', '0.00', '-1', '1.234', 'ten', '1e3'])('refuses the price %j', (amount) => {
    expect(problems({ price: amount })).toEqual({ price: 'Invalid price value' });
    expect(problems({ discountedPrice: amount })).toEqual({ discountedPrice: 'Invalid discounted price value' });
  });

  it.each(['0', '-1', '1.5', ''])('refuses the stock %j', (stock) => {
    expect(problems({ stock })).toEqual({ stock: 'Invalid stock value' });
  });

  it('refuses a weight that is none, and a discount that ends before it starts', () => {
    expect(problems({ weightGrams: 'heavy' })).toEqual({ weightGrams: 'Invalid weight value' });
    expect(problems({ discountStartsAt: '2026-12-02T00:00', discountEndsAt: '2026-12-01T00:00' })).toEqual({
      discountEndsAt: 'The discount ends before it begins',
    });
  });

  it('takes the cells instead of the stock, and refuses empty ones', () => {
    expect(problems({ stock: '', isExact: true, cells: cells({ 'k1:S': '3' }) })).toEqual({});
    expect(problems({ stock: '5', isExact: true, cells: cells({ 'k1:S': '' }) })).toEqual({
      stock: 'Invalid stock value',
    });
  });
});

describe('the stock of a new product', () => {
  it('is spread over cells that were not typed in, the rest to the first', () => {
    const spread = cells({ 'k1:S': '4', 'k1:M': '3', 'k2:S': '3', 'k2:M': '3' });
    const exact = { ...good, stock: ' 13 ', isExact: true };

    expect(cellsOf({ ...good, stock: ' 13 ' })).toEqual(spread);
    expect(cellsOf({ ...exact, cells: cells({ 'k1:S': '1' }) })).toEqual(cells({ 'k1:S': '1' }));
    expect(sumOf({ ...exact, stock: 'many' })).toBe(0);
    expect(cellsOf({ ...exact, colors: [] })).toEqual({});
    expect(createInput(exact, 'UTC').variants?.map(({ stock }) => stock)).toEqual([4, 3, 3, 3]);
  });

  it('keeps what was typed when it is given by cell or in all', () => {
    const typed = { ...good, isExact: true, cells: cells({ 'k1:S': '5', 'k2:M': '9' }) };
    const inAll = { ...typed, ...withExactStock(typed, false) };

    expect(inAll.stock).toBe('14');
    expect(cellsOf({ ...inAll, ...withExactStock(inAll, true) })).toEqual(typed.cells);
    expect(sumOf({ ...inAll, ...withExactStock({ ...inAll, stock: '4' }, true), stock: '4' })).toBe(4);
  });

  it('does not count pieces of a color that was taken off again', () => {
    const typed = { ...good, colors: [indigo], isExact: true, cells: cells({ 'k1:S': '3', 'k1:M': '', 'k2:S': '40' }) };

    expect(sumOf(typed)).toBe(3);
  });
});

describe('what creates a product', () => {
  it('is the draft with its total stock, and each picture with its color', () => {
    expect(createInput({ ...good, name: ' Straight Jean ' }, 'UTC')).toEqual({
      name: 'Straight Jean',
      title: '',
      subtitle: 'Washed 12 oz denim',
      description: 'Straight from hip to hem.',
      details: [],
      price: '120.00',
      discountedPrice: null,
      discountStartsAt: null,
      discountEndsAt: null,
      weightGrams: null,
      category: 'men_jeans',
      colors: [
        { name: 'Indigo', hex: '#2f4e7d' },
        { name: 'Black', hex: '#000000' },
      ],
      sizes: ['S', 'M'],
      stock: 12,
      images: [
        { imageId: 'p1', color: 1, alt: '' },
        { imageId: 'p2', color: null, alt: '' },
      ],
    });
  });

  it('is the stock of each variant where the cells say it', () => {
    const exact = { ...good, isExact: true, cells: cells({ 'k1:S': '3', 'k2:M': '4' }) };
    const { stock, variants } = createInput(exact, 'UTC');

    expect(stock).toBeUndefined();
    expect(variants).toEqual([
      { color: 0, size: 'S', stock: 3 },
      { color: 0, size: 'M', stock: 0 },
      { color: 1, size: 'S', stock: 0 },
      { color: 1, size: 'M', stock: 4 },
    ]);
  });
});

describe('every field of a product', () => {
  const saved = { colors: [], variants: [], pictures: [] } as unknown as EditableProductFragment;
  const schema = buildSchema(readFileSync('../schema.graphql', 'utf8'));
  const inputsOf = (name: string) => {
    const type = schema.getType(name);
    return isInputObjectType(type) ? Object.keys(type.getFields()).toSorted() : [];
  };

  it('is sent, as the schema knows it', () => {
    const whole = { ...createInput(good, 'UTC'), ...createInput({ ...good, isExact: true }, 'UTC') };

    expect([...Object.keys(whole), 'measurements'].toSorted()).toEqual(inputsOf('CreateProductInput'));
    expect(Object.keys(editInput(good, { product: saved, points: [], timeZone: 'UTC' })).toSorted()).toEqual(
      inputsOf('UpdateProductInput'),
    );
  });

  it.each(textFields)('that is text is compared, merged and answered by itself: $name', ({ name, noun }) => {
    const base = { ...good, isExact: true, cells: cellsOf(good) };
    const mine = { ...base, [name]: '2027-01-01T00:00' };
    const theirs = { ...base, subtitle: 'Theirs', price: '1' };

    expect(changesBetween(base, mine)).toMatchObject([{ key: name, label: noun }]);
    expect(rebase(base, mine, theirs)).toEqual({ ...theirs, [name]: mine[name] });
    expect(createInput(good, 'UTC')).toHaveProperty(name);
    expect(withoutAnswered({ [name]: 'Refused', colors: 'Refused' }, { [name]: '' })).toEqual({ colors: 'Refused' });
  });
});

describe('a refusal of the server', () => {
  it('is placed at the field that it is about, under the form’s name', () => {
    const errors = [
      { field: 'category', message: 'No such category' },
      { field: 'variants', message: 'The SKU is taken' },
      { field: 'measurements.waist.M', message: '1 to 300 cm' },
      { field: 'season', message: 'Choose a season' },
    ];

    expect(placeErrors(errors)).toEqual({
      problems: { subcategory: 'No such category', stock: 'The SKU is taken', 'measurements.waist.M': '1 to 300 cm' },
      rest: 'Choose a season',
    });
  });

  it.each([
    ['stock', { sizes: ['S' as const] }],
    ['discountEndsAt', { discountStartsAt: '' }],
    ['images', { pictures: [] }],
    ['measurements.waist.M', { lengths: {} }],
    ['subcategory', { subcategory: 'jeans' }],
  ])('of %s goes with an edit of what it is about', (name, edits) => {
    expect(withoutAnswered({ [name]: 'Refused', name: 'Refused' }, edits)).toEqual({ name: 'Refused' });
  });
});
