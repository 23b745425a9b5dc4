import type { Size } from '~/graphql/catalogue';
import type { AdjustmentReason } from '~/graphql/schema.generated';
import { parseWhole } from '~/ui/amount';
import type { LengthDraft, LengthUnits } from './measurement-draft';
import { type TextName, textFields } from './text-fields';

/** A color of the product: a saved one goes by its id; `key` stays while others come and go. */
export interface ColorDraft {
  key: string;
  name: string;
  hex: string;
}

export interface CellDraft {
  /** As typed. */
  stock: string;
  sku: string;
}

export interface PictureDraft {
  key: string;
  /** Null until it is uploaded. */
  imageId: string | null;
  /** Empty when it shows every color. */
  colorKey: string;
  alt: string;
  /** The address of what is shown in the form. */
  src: string;
  /** What was chosen on this computer. */
  file?: File;
}

export interface DetailDraft {
  key: string;
  label: string;
  text: string;
}

/** A product as its form holds it: text as typed. */
export interface ProductDraft extends Record<TextName, string> {
  details: DetailDraft[];
  /** Key of the department; empty until it is chosen. */
  gender: string;
  /** Key of the kind; empty until it is chosen. */
  subcategory: string;
  colors: ColorDraft[];
  sizes: Size[];
  /** Whether `cells` say the stock. Otherwise `stock` is spread evenly over colors and sizes. */
  isExact: boolean;
  stock: string;
  /** By color and size; a missing one is new. */
  cells: Record<string, CellDraft>;
  stockReason: AdjustmentReason;
  stockNote: string;
  lengthUnits: LengthUnits;
  /** Measurements by point and size; a missing one is not measured. */
  lengths: Record<string, LengthDraft>;
  pictures: PictureDraft[];
}

const emptyTexts = Object.fromEntries(textFields.map(({ name }) => [name, ''])) as Record<TextName, string>;

export const emptyDraft: ProductDraft = {
  ...emptyTexts,
  details: [],
  gender: '',
  subcategory: '',
  colors: [],
  sizes: [],
  isExact: false,
  stock: '',
  cells: {},
  stockReason: 'COUNTED',
  stockNote: '',
  lengthUnits: 'in',
  lengths: {},
  pictures: [],
};

const EMPTY_CELL: CellDraft = { stock: '0', sku: '' };

export const cellKey = (color: ColorDraft, size: Size) => `${color.key}:${size}`;

/** An even share for each cell; the first ones get the remainder, as on the server. */
function spread({ colors, sizes, stock }: ProductDraft): Record<string, CellDraft> {
  const total = parseWhole(stock).value ?? 0;
  const keys = colors.flatMap((color) => sizes.map((size) => cellKey(color, size)));
  const share = Math.floor(total / keys.length);
  return Object.fromEntries(
    keys.map((key, at) => [key, { stock: String(at < total % keys.length ? share + 1 : share), sku: '' }]),
  );
}

/** The cells as typed; as long as none is, those that the stock is spread over. */
export function cellsOf(draft: ProductDraft): Record<string, CellDraft> {
  return draft.isExact && Object.keys(draft.cells).length > 0 ? draft.cells : spread(draft);
}

export const cellOf = (draft: ProductDraft, color: ColorDraft, size: Size) =>
  cellsOf(draft)[cellKey(color, size)] ?? EMPTY_CELL;

export const piecesOf = (draft: ProductDraft, color: ColorDraft, size: Size) =>
  parseWhole(cellOf(draft, color, size).stock).value ?? 0;

export function sumOf(
  draft: ProductDraft,
  colors: readonly ColorDraft[] = draft.colors,
  sizes: readonly Size[] = draft.sizes,
): number {
  return colors.reduce((sum, color) => sizes.reduce((part, size) => part + piecesOf(draft, color, size), sum), 0);
}

/** The stock of each cell instead of the whole, or the other way; no number that was typed is lost. */
export function withExactStock(draft: ProductDraft, isExact: boolean): Partial<ProductDraft> {
  if (!isExact) return { isExact, stock: String(sumOf(draft) || draft.stock) };
  const typed = { ...draft, isExact };
  return sumOf(typed) === parseWhole(draft.stock).value ? { isExact } : { isExact, cells: {} };
}

/** The sizes with one more or without it, in the order of all that there are; those that are no longer come last. */
export const toggledSize = (all: readonly Size[], sizes: readonly Size[], size: Size, isIn: boolean): Size[] =>
  [...new Set([...all, ...sizes])].filter((one) => (one === size ? isIn : sizes.includes(one)));
