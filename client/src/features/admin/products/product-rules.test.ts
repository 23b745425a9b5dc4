import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { productInput } from './product-input';
import { emptyProduct, gridOf, productRules, type ProductValues, sumOf } from './product-rules';

const indigo = { key: 'k1', name: 'Indigo', hex: '#2f4e7d' };
const black = { key: 'k2', name: 'Black', hex: '#000000' };
const front = {
  key: 'i1',
  file: new File([], 'front.webp', { type: 'image/webp' }),
  preview: 'blob:1',
  colorKey: 'k2',
};
const back = { ...front, key: 'i2', colorKey: '' };

const good: ProductValues = {
  ...emptyProduct,
  name: 'Straight Jean',
  subtitle: 'Washed 12 oz denim',
  description: 'Straight from hip to hem.',
  price: '120',
  gender: 'MEN',
  subcategory: 'JEANS',
  colors: [indigo, black],
  sizes: ['S', 'M'],
  stock: '12',
  images: [front, back],
};

function complaints(over: Partial<ProductValues>) {
  const { issues } = v.safeParse(productRules, { ...good, ...over });
  return issues ? v.flatten(issues).nested : undefined;
}

describe('the product form', () => {
  it('takes a whole product', () => {
    expect(complaints({})).toBeUndefined();
    expect(complaints({ discountedPrice: '96.50' })).toBeUndefined();
  });

  it('names everything that is missing', () => {
    expect(complaints(emptyProduct)).toEqual({
      name: ['Product name is required'],
      subtitle: ['Product subtitle is required'],
      description: ['Product description is required'],
      price: ['Invalid price value'],
      gender: ['Select a gender'],
      subcategory: ['Product category is required'],
      colors: ['At least one color must be selected'],
      sizes: ['At least one size must be selected'],
      stock: ['Invalid stock value'],
      images: ['Product image is required'],
    });
  });

  it.each(['0', '0.00', '-1', '1.234', 'ten', '1e3'])('refuses the price %j', (amount) => {
    expect(complaints({ price: amount })).toEqual({ price: ['Invalid price value'] });
    expect(complaints({ discountedPrice: amount })).toEqual({ discountedPrice: ['Invalid discounted price value'] });
  });

  it.each(['0', '-1', '1.5', ''])('refuses the stock %j', (stock) => {
    expect(complaints({ stock })).toEqual({ stock: ['Invalid stock value'] });
  });

  it('spreads the stock over a grid that nobody has touched, the rest to the first', () => {
    const grid = { 'k1:S': '4', 'k1:M': '3', 'k2:S': '3', 'k2:M': '3' };

    expect(gridOf({ ...good, stock: ' 13 ' })).toEqual(grid);
    expect(gridOf({ ...good, stock: '13', grid: { 'k1:S': '1' } })).toEqual({ 'k1:S': '1' });
    expect(gridOf({ ...good, stock: 'many' })).toEqual({});
    expect(gridOf({ ...good, stock: '13', colors: [] })).toEqual({});
    expect(
      productInput({ ...good, stock: '13', exact: true }, ['i1', 'i2']).variants?.map(({ stock }) => stock),
    ).toEqual([4, 3, 3, 3]);
  });

  it('takes the grid instead of the stock, and refuses an empty one', () => {
    expect(complaints({ stock: '', exact: true, grid: { 'k1:S': '3' } })).toBeUndefined();
    expect(complaints({ stock: '5', exact: true, grid: { 'k1:S': '' } })).toEqual({ stock: ['Invalid stock value'] });
  });

  it('does not count pieces of a color that was taken away again', () => {
    expect(sumOf({ colors: [indigo], sizes: ['S', 'M'], grid: { 'k1:S': '3', 'k1:M': '', 'k2:S': '40' } })).toBe(3);
  });
});

describe('what is sent', () => {
  it('is the product with its total stock, and each picture with its color', () => {
    expect(productInput({ ...good, name: ' Straight Jean ' }, ['p1', 'p2'])).toEqual({
      name: 'Straight Jean',
      subtitle: 'Washed 12 oz denim',
      description: 'Straight from hip to hem.',
      price: '120.00',
      discountedPrice: null,
      gender: 'MEN',
      subcategory: 'JEANS',
      colors: [
        { name: 'Indigo', hex: '#2f4e7d' },
        { name: 'Black', hex: '#000000' },
      ],
      sizes: ['S', 'M'],
      stock: 12,
      images: [
        { imageId: 'p1', color: 1 },
        { imageId: 'p2', color: null },
      ],
    });
  });

  it('is the stock of each variant where the grid says it', () => {
    const { stock, variants } = productInput({ ...good, exact: true, grid: { 'k1:S': '3', 'k2:M': '4' } }, [
      'p1',
      'p2',
    ]);

    expect(stock).toBeUndefined();
    expect(variants).toEqual([
      { color: 0, size: 'S', stock: 3 },
      { color: 0, size: 'M', stock: 0 },
      { color: 1, size: 'S', stock: 0 },
      { color: 1, size: 'M', stock: 4 },
    ]);
  });
});
