import * as v from 'valibot';
import type { Gender, Size, Subcategory } from '~/graphql/schema.generated';
import { parseCents, parseWhole } from '~/ui/amount';
import { texts } from './texts';

/** A color being given to the product; `key` stays while others come and go. */
export interface ColorDraft {
  key: string;
  name: string;
  hex: string;
}

/** A picture chosen on this computer; `colorKey` is empty when it shows every color. */
export interface PictureDraft {
  key: string;
  file: File;
  preview: string;
  colorKey: string;
}

const isAmount = (text: string) => (parseCents(text) ?? 0) > 0;
const isCount = (text: string) => (parseWhole(text).value ?? 0) > 0;

export const cell = (color: ColorDraft, size: Size) => `${color.key}:${size}`;

interface Grid {
  colors: ColorDraft[];
  sizes: Size[];
  grid: Record<string, string>;
}

/** Pieces of each color and size as entered; an empty cell holds none. */
export function variantsOf({ colors, sizes, grid }: Grid) {
  return colors.flatMap((color, index) =>
    sizes.map((size) => ({ color: index, size, stock: Number(grid[cell(color, size)] || '0') })),
  );
}

export function sumOf(grid: Grid): number {
  return variantsOf(grid).reduce((sum, { stock }) => sum + stock, 0);
}

/** The grid as entered, or while it is untouched the typed stock spread as the server spreads it: the rest goes first. */
export function gridOf({ stock, colors, sizes, grid }: Grid & { stock: string }): Record<string, string> {
  const typed = stock.trim();
  if (Object.keys(grid).length > 0 || !isCount(typed)) return grid;
  const cells = colors.flatMap((color) => sizes.map((size) => cell(color, size)));
  const share = Math.floor(Number(typed) / cells.length);
  const rest = Number(typed) % cells.length;
  return Object.fromEntries(cells.map((key, place) => [key, String(place < rest ? share + 1 : share)]));
}

const required = (message: string) => v.pipe(v.string(), v.trim(), v.nonEmpty(message));

export const productRules = v.pipe(
  v.object({
    name: required(texts.nameRequired),
    subtitle: required(texts.subtitleRequired),
    description: required(texts.descriptionRequired),
    price: v.pipe(v.string(), v.trim(), v.check(isAmount, texts.invalidPrice)),
    discountedPrice: v.pipe(
      v.string(),
      v.trim(),
      v.check((text) => text === '' || isAmount(text), texts.invalidDiscountedPrice),
    ),
    gender: v.pipe(
      v.custom<Gender | ''>(isText),
      v.check((gender) => gender !== '', texts.genderRequired),
    ),
    subcategory: v.pipe(
      v.custom<Subcategory | ''>(isText),
      v.check((kind) => kind !== '', texts.categoryRequired),
    ),
    colors: v.pipe(v.custom<ColorDraft[]>(Array.isArray), v.minLength(1, texts.colorRequired)),
    sizes: v.pipe(v.custom<Size[]>(Array.isArray), v.minLength(1, texts.sizeRequired)),
    stock: v.pipe(v.string(), v.trim()),
    exact: v.boolean(),
    grid: v.record(v.string(), v.pipe(v.string(), v.regex(/^\d*$/, texts.invalidStock))),
    images: v.pipe(v.custom<PictureDraft[]>(Array.isArray), v.minLength(1, texts.imageRequired)),
  }),
  v.forward(
    v.partialCheck([['stock'], ['exact']], ({ stock, exact }) => exact || isCount(stock), texts.invalidStock),
    ['stock'],
  ),
  v.forward(
    v.partialCheck(
      [['exact'], ['stock'], ['colors'], ['sizes'], ['grid']],
      ({ exact, ...given }) => !exact || sumOf({ ...given, grid: gridOf(given) }) > 0,
      texts.invalidStock,
    ),
    ['stock'],
  ),
);

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

export type ProductValues = v.InferInput<typeof productRules>;

export const emptyProduct: ProductValues = {
  name: '',
  subtitle: '',
  description: '',
  price: '',
  discountedPrice: '',
  gender: '',
  subcategory: '',
  colors: [],
  sizes: [],
  stock: '',
  exact: false,
  grid: {},
  images: [],
};
