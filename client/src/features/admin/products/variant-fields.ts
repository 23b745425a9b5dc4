import { texts } from './texts';
import type { Size } from '~/graphql/catalogue';
import { parseWhole } from '~/ui/amount';
import { cellKey, cellOf, type ColorDraft, piecesOf, type ProductDraft, sumOf } from './product-draft';
import type { Change } from '~/features/admin/changes';
import { problemIf, type Problems, type ProductField } from './product-field';

const MOST_PIECES = 9_999_999;

const pieces = (count: number) => (count === 1 ? '1 piece' : `${count} pieces`);
const removal = (name: string, lost: number) =>
  lost > 0 ? `${name} taken off with ${pieces(lost)}` : `${name} taken off`;

function colorChange(before: ColorDraft | undefined, { key, name, hex }: ColorDraft): Change[] {
  const change = { key: `color ${key}`, label: `color ${name}` };
  if (!before) return [change];
  if (before.name === name && before.hex === hex) return [];
  return [{ ...change, from: `${before.name} ${before.hex}`, to: `${name} ${hex}` }];
}

const sharedKeys = (colors: readonly ColorDraft[], others: readonly ColorDraft[]) =>
  colors.flatMap(({ key }) => (others.some((other) => other.key === key) ? [key] : []));

const isReordered = (base: readonly ColorDraft[], colors: readonly ColorDraft[]) =>
  sharedKeys(base, colors).join() !== sharedKeys(colors, base).join();

export const colorsField: ProductField = {
  names: ['colors'],
  parts: ['colors'],
  read: ({ colors }) => ({
    colors: colors.filter(({ isRetired }) => !isRetired).map(({ id, name, hex }) => ({ key: id, name, hex })),
  }),
  problems({ colors }) {
    const names = new Set(colors.map(({ name }) => name.trim().toLowerCase()));
    return {
      ...problemIf(colors.length === 0, 'colors', texts.colorRequired),
      ...problemIf(names.size < colors.length, 'colors', texts.colorTwice),
    };
  },
  changes: (base, draft) => [
    ...base.colors
      .filter(({ key }) => draft.colors.every((color) => color.key !== key))
      .map((color) => ({ key: `color ${color.key}`, label: removal(color.name, sumOf(base, [color])) })),
    ...draft.colors.flatMap((color) =>
      colorChange(
        base.colors.find(({ key }) => key === color.key),
        color,
      ),
    ),
    ...(isReordered(base.colors, draft.colors) ? [{ key: 'color order', label: 'order of colors' }] : []),
  ],
  edit: ({ colors }, { product }) => ({
    colors: colors.map(({ key, name, hex }) => ({
      id: product.colors.some(({ id }) => id === key) ? key : null,
      name: name.trim(),
      hex,
    })),
  }),
  create: ({ colors }) => ({ colors: colors.map(({ name, hex }) => ({ name, hex })) }),
};

export const sizesField: ProductField = {
  names: ['sizes'],
  parts: ['sizes'],
  read: ({ variants }) => ({
    sizes: [...new Set(variants.filter(({ isRetired }) => !isRetired).map(({ size }) => size))],
  }),
  problems: ({ sizes }) => problemIf(sizes.length === 0, 'sizes', texts.sizeRequired),
  changes: (base, draft) => [
    ...base.sizes
      .filter((size) => !draft.sizes.includes(size))
      .map((size) => ({ key: `size ${size}`, label: removal(`size ${size}`, sumOf(base, base.colors, [size])) })),
    ...draft.sizes
      .filter((size) => !base.sizes.includes(size))
      .map((size) => ({ key: `size ${size}`, label: `size ${size}` })),
  ],
  edit: ({ sizes }) => ({ sizes }),
  create: ({ sizes }) => ({ sizes }),
};

function cellsAmong<Value>(
  { colors, sizes }: ProductDraft,
  valueOf: (color: ColorDraft, size: Size, colorIndex: number) => readonly Value[],
): Value[] {
  return colors.flatMap((color, index) => sizes.flatMap((size) => valueOf(color, size, index)));
}

/** Cells whose stock differs, of colors and sizes that both drafts have or the second one adds. */
export function stockChanges(base: ProductDraft, draft: ProductDraft): Change[] {
  return cellsAmong(draft, (color, size) => {
    const [from, to] = [piecesOf(base, color, size), piecesOf(draft, color, size)];
    if (from === to) return [];
    return [
      { key: `stock ${cellKey(color, size)}`, label: `${color.name} ${size}`, from: String(from), to: String(to) },
    ];
  });
}

function skuChanges(base: ProductDraft, draft: ProductDraft): Change[] {
  return cellsAmong(draft, (color, size) => {
    const [from, to] = [cellOf(base, color, size).sku, cellOf(draft, color, size).sku];
    if (from === to) return [];
    return [{ key: `sku ${cellKey(color, size)}`, label: `SKU of ${color.name} ${size}`, from, to }];
  });
}

const isCount = (typed: string) => (parseWhole(typed || '0').value ?? Number.NaN) <= MOST_PIECES;

function invalidCells(draft: ProductDraft): Problems {
  const keys = cellsAmong(draft, (color, size) =>
    isCount(cellOf(draft, color, size).stock) ? [] : [`stock.${cellKey(color, size)}`],
  );
  return Object.fromEntries(keys.map((key) => [key, texts.invalidStock]));
}

const totalOf = (draft: ProductDraft) => (draft.isExact ? sumOf(draft) : (parseWhole(draft.stock).value ?? 0));

export const stockField: ProductField = {
  names: ['stock', 'variants'],
  parts: ['isExact', 'stock', 'cells', 'stockReason', 'stockNote'],
  answeredBy: ['isExact', 'stock', 'cells', 'colors', 'sizes'],
  read: ({ variants }) => ({
    isExact: true,
    cells: Object.fromEntries(
      variants.map(({ colorId, size, stock, sku }) => [`${colorId}:${size}`, { stock: String(stock), sku }]),
    ),
  }),
  problems: (draft, product) => ({
    ...problemIf(product === null && totalOf(draft) === 0, 'stock', texts.invalidStock),
    ...invalidCells(draft),
  }),
  changes: (base, draft) => [...stockChanges(base, draft), ...skuChanges(base, draft)],
  merge(mine, theirs, changed) {
    const cells = cellsAmong(mine, (color, size) => {
      const key = cellKey(color, size);
      const own = cellOf(mine, color, size);
      const other = theirs.cells[key] ?? own;
      return [
        [
          key,
          {
            stock: (changed.has(`stock ${key}`) ? own : other).stock,
            sku: (changed.has(`sku ${key}`) ? own : other).sku,
          },
        ] as const,
      ];
    });
    const { stockReason, stockNote } = mine;
    return { cells: { ...theirs.cells, ...Object.fromEntries(cells) }, stockReason, stockNote };
  },
  edit(draft, { product }) {
    const seen = new Map(product.variants.map(({ colorId, size, stock }) => [`${colorId}:${size}`, stock]));
    return {
      variants: cellsAmong(draft, (color, size, index) => [
        {
          color: index,
          size,
          stock: piecesOf(draft, color, size),
          seenStock: seen.get(cellKey(color, size)) ?? null,
          sku: cellOf(draft, color, size).sku.trim(),
        },
      ]),
      stockReason: draft.stockReason,
      stockNote: draft.stockNote.trim(),
    };
  },
  create(draft) {
    if (!draft.isExact) return { stock: totalOf(draft) };
    return {
      variants: cellsAmong(draft, (color, size, index) => [
        { color: index, size, stock: piecesOf(draft, color, size) },
      ]),
    };
  },
};
