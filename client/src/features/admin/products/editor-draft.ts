import type {
  AdjustmentReason,
  EditProductInput,
  Gender,
  MeasurementPoint,
  Size,
  Subcategory,
} from '~/graphql/schema.generated';
import { SIZES } from '~/graphql/catalogue';
import { parseAmount, parseWhole } from '~/ui/amount';
import { localMoment, parseMoment } from '~/ui/moment';
import type { EditableProductFragment } from './editor.generated';
import { type LengthDraft, type LengthUnits, lengthsOf, measurementInputs } from './measurement-draft';
import { cell, type ColorDraft } from './product-rules';

interface CellDraft {
  /** As typed. */
  stock: string;
  sku: string;
}

export interface EditorPicture {
  key: string;
  /** Null until it is uploaded. */
  imageId: string | null;
  /** Empty when it shows every color. */
  colorKey: string;
  alt: string;
  /** What is shown here. */
  src: string;
  fileName?: string;
}

export interface DetailDraft {
  key: string;
  label: string;
  text: string;
}

/** A product as its form holds it: text as typed. Colors that are there go by their ids. */
export interface EditorDraft {
  name: string;
  title: string;
  subtitle: string;
  description: string;
  details: DetailDraft[];
  price: string;
  discountedPrice: string;
  startsAt: string;
  endsAt: string;
  gender: Gender;
  subcategory: Subcategory | '';
  weight: string;
  colors: ColorDraft[];
  sizes: Size[];
  /** By color and size; a missing one is new. */
  cells: Record<string, CellDraft>;
  pictures: EditorPicture[];
  lengthUnits: LengthUnits;
  /** Measurements by point and size; a missing one is not measured. */
  lengths: Record<string, LengthDraft>;
}

const NOTHING: CellDraft = { stock: '0', sku: '' };

export const cellOf = (draft: EditorDraft, color: ColorDraft, size: Size) => draft.cells[cell(color, size)] ?? NOTHING;
export const pieces = (draft: EditorDraft, color: ColorDraft, size: Size) =>
  parseWhole(cellOf(draft, color, size).stock).value ?? 0;

export function sumOf(draft: EditorDraft, colors: readonly ColorDraft[], sizes: readonly Size[]): number {
  return colors.reduce((sum, color) => sizes.reduce((part, size) => part + pieces(draft, color, size), sum), 0);
}

/** The form of a product as it is. A title that only repeats the name is left to follow it. */
export function draftOf(product: EditableProductFragment): EditorDraft {
  const sold = product.variants.filter(({ isRetired }) => !isRetired);
  return {
    name: product.name,
    title: product.title === product.name ? '' : product.title,
    subtitle: product.subtitle,
    description: product.description,
    details: product.details.map((detail, index) => ({ ...detail, key: String(index) })),
    price: product.price,
    discountedPrice: product.discountedPrice ?? '',
    startsAt: localMoment(product.discountStartsAt),
    endsAt: localMoment(product.discountEndsAt),
    gender: product.gender,
    subcategory: product.subcategory,
    weight: String(product.weightGrams),
    colors: product.colors.filter(({ isRetired }) => !isRetired).map(({ id, name, hex }) => ({ key: id, name, hex })),
    sizes: SIZES.filter((size) => sold.some((variant) => variant.size === size)),
    cells: Object.fromEntries(
      product.variants.map(({ colorId, size, stock, sku }) => [`${colorId}:${size}`, { stock: String(stock), sku }]),
    ),
    pictures: product.pictures.map(({ image, colorId, alt }, index) => ({
      key: `${index}:${image.id}`,
      imageId: image.id,
      colorKey: colorId ?? '',
      alt,
      src: image.fallback,
    })),
    lengthUnits: 'in',
    lengths: lengthsOf(product, 'in'),
  };
}

interface StockReason {
  reason: AdjustmentReason;
  note: string;
}

/** The form as the schema takes it, with what was seen before. Needs a form without problems, its pictures uploaded. */
export function inputOf(
  draft: EditorDraft,
  product: EditableProductFragment,
  why: StockReason,
  points: readonly MeasurementPoint[],
): EditProductInput {
  const { subcategory } = draft;
  if (!subcategory) throw new TypeError('The form was not checked.');
  const known = new Set(product.colors.map(({ id }) => id));
  const seen = new Map(product.variants.map((variant) => [`${variant.colorId}:${variant.size}`, variant.stock]));
  const place = new Map(draft.colors.map(({ key }, index) => [key, index]));
  return {
    name: draft.name.trim(),
    title: draft.title.trim(),
    subtitle: draft.subtitle.trim(),
    description: draft.description.trim(),
    details: draft.details.map(({ label, text }) => ({ label, text })),
    price: parseAmount(draft.price).value ?? draft.price,
    discountedPrice: parseAmount(draft.discountedPrice).value,
    discountStartsAt: momentOf(draft.startsAt, product.discountStartsAt),
    discountEndsAt: momentOf(draft.endsAt, product.discountEndsAt),
    gender: draft.gender,
    subcategory,
    weightGrams: Number(draft.weight),
    colors: draft.colors.map(({ key, name, hex }) => ({ id: known.has(key) ? key : null, name: name.trim(), hex })),
    sizes: draft.sizes,
    variants: draft.colors.flatMap((color, index) =>
      draft.sizes.map((size) => ({
        color: index,
        size,
        stock: pieces(draft, color, size),
        seenStock: seen.get(cell(color, size)) ?? null,
        sku: cellOf(draft, color, size).sku.trim(),
      })),
    ),
    images: draft.pictures.flatMap(({ imageId, colorKey, alt }) =>
      imageId ? [{ imageId, color: place.get(colorKey) ?? null, alt: alt.trim() }] : [],
    ),
    measurements: points.length > 0 ? measurementInputs(draft.lengths, points, draft.sizes) : null,
    stockReason: why.reason,
    stockNote: why.note.trim(),
  };
}

/** The field shows whole minutes; an unchanged time keeps its seconds. */
function momentOf(local: string, known: string | null): string | null {
  return local === localMoment(known) ? known : parseMoment(local).value;
}
