import { describe, expect, test } from 'vitest';
import { facetsOf } from './facets';
import { allChips, readFilters } from './list-filters';
import { writeList } from './list-state';
import { rememberPages, shownPages } from './shown-pages';
import { fewLeftWords, soldOutWords } from './stock';

describe('a narrowed list', () => {
  const narrowed = {
    sizes: ['M' as const, 'XL' as const],
    colors: ['Black', 'Blue'],
    priceFrom: '60',
    priceTo: '140.50',
    inStock: true,
    onSale: true,
  };

  test('is written into the address and read back the same', () => {
    const query = writeList(narrowed, 'PRICE_ASCENDING');

    expect(query.toString()).toBe('size=M%2CXL&color=Black%2CBlue&from=60&to=140.50&stock=in&sale=on&sort=price');
    expect(readFilters(query)).toEqual(narrowed);
  });

  test('leaves the address alone when nothing is narrowed', () => {
    expect(writeList({}, 'FEATURED').toString()).toBe('');
  });

  test('ignores what an address makes up', () => {
    const query = new URLSearchParams('size=XXXL,M&from=abc&to=-1&stock=maybe');

    expect(readFilters(query)).toEqual({ sizes: ['M'] });
  });

  test('names every choice, and drops each by itself', () => {
    const chips = allChips(narrowed);

    expect(chips.map(({ label }) => label)).toEqual([
      'Size M',
      'Size XL',
      'Black',
      'Blue',
      '$60.00 to $140.50',
      'In stock',
      'On sale',
    ]);
    expect(chips.map(({ drop }) => drop(narrowed))).toEqual([
      { sizes: ['XL'] },
      { sizes: ['M'] },
      { colors: ['Blue'] },
      { colors: ['Black'] },
      { priceFrom: null, priceTo: null },
      { inStock: false },
      { onSale: false },
    ]);
  });

  test('offers no choice of what its page has chosen', () => {
    expect(facetsOf({ onSale: true }).map(({ label }) => label)).toEqual(['Size', 'Color', 'Price', 'In stock']);
  });

  test('counts a price range as one choice', () => {
    expect(allChips(narrowed)).toHaveLength(7);
  });
});

describe('the pages of a list', () => {
  test('are found again as they were shown', () => {
    rememberPages('jeans', [null, 'a', 'b']);

    expect(shownPages('jeans', 'b')).toEqual([null, 'a', 'b']);
    expect(shownPages('jeans', 'a')).toEqual([null, 'a']);
    expect(shownPages('jeans', null)).toEqual([null]);
  });

  test('begin at the address’s cursor when it was opened afresh', () => {
    expect(shownPages('shirts', 'x')).toEqual(['x']);
  });
});

describe('stock in words', () => {
  test.each([
    [1, 'Only 1 left in M.'],
    [3, 'Only 3 left in M.'],
    [4, ''],
    [0, ''],
  ])('%i left: "%s"', (stock, words) => {
    expect(fewLeftWords('M', stock)).toBe(words);
  });

  test.each([
    [[], ''],
    [['XS'], 'XS is sold out.'],
    [['XS', 'XXL'], 'XS and XXL are sold out.'],
    [['XS', 'S', 'XXL'], 'XS, S, and XXL are sold out.'],
  ])('sold out %j: "%s"', (gone, words) => {
    const sizes = (['XS', 'S', 'M', 'XXL'] as const).map((size) => ({ size, soldOut: gone.includes(size) }));

    expect(soldOutWords(sizes)).toBe(words);
  });
});
