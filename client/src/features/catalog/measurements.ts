import type { Gender, Size, Subcategory } from '~/graphql/schema.generated';

export type Outline = 'shirt' | 'shapedShirt' | 'jean' | 'trouser';

export interface Measurement {
  /** Its letter in the drawing. */
  letter: string;
  name: string;
  inches: Record<Size, number>;
}

export interface SizeTable {
  outline: Outline;
  /** How it was measured. */
  how: string;
  measurements: readonly Measurement[];
  /** For who stands between two sizes. */
  between: string;
}

/** One line of a table, from XS to XXL. */
function row(letter: string, name: string, ...[XS, S, M, L, XL, XXL]: [number, number, number, number, number, number]) {
  return { letter, name, inches: { XS, S, M, L, XL, XXL } };
}

const WAIST_ROUND = 'Laid flat. Waist is measured all the way round.';

/** Of the finished garment, after its first wash, in the kind's regular cut. */
const tables: Record<string, SizeTable> = {
  MEN_SHIRTS: {
    outline: 'shirt',
    how: 'Laid flat, buttoned. Collar and chest are measured all the way round.',
    measurements: [
      row('A', 'Collar', 14, 14.5, 15.25, 16, 16.75, 17.5),
      row('B', 'Shoulder', 16.5, 17, 17.75, 18.5, 19.25, 20),
      row('C', 'Chest', 37, 39.5, 42.5, 45.5, 48.5, 51.5),
      row('D', 'Sleeve', 24.25, 24.75, 25.25, 25.75, 26.25, 26.75),
      row('E', 'Length', 28, 28.5, 29.25, 30, 30.75, 31.5),
    ],
    between: 'Take the larger one to wear it open, or over something.',
  },
  MEN_JEANS: {
    outline: 'jean',
    how: WAIST_ROUND,
    measurements: [
      row('A', 'Waist', 29, 31, 33, 35, 37, 39),
      row('B', 'Front rise', 10.75, 11, 11.25, 11.5, 11.75, 12),
      row('C', 'Thigh', 11.5, 12, 12.5, 13, 13.5, 14),
      row('D', 'Inseam', 31, 31, 32, 32, 33, 33),
      row('E', 'Hem', 8, 8.25, 8.5, 8.75, 9, 9.25),
    ],
    between: 'Take the larger one for a loose leg.',
  },
  WOMEN_SHIRTS: {
    outline: 'shapedShirt',
    how: 'Laid flat, buttoned. Bust and waist are measured all the way round.',
    measurements: [
      row('A', 'Shoulder', 14.5, 15, 15.5, 16.25, 17, 17.75),
      row('B', 'Bust', 35, 37, 39.5, 42.5, 45.5, 48.5),
      row('C', 'Waist', 32, 34, 36.5, 39.5, 42.5, 45.5),
      row('D', 'Sleeve', 23, 23.25, 23.75, 24, 24.5, 24.75),
      row('E', 'Length', 25.5, 26, 26.5, 27.25, 28, 28.75),
    ],
    between: 'Take the larger one where the bust decides.',
  },
  WOMEN_JEANS: {
    outline: 'jean',
    how: WAIST_ROUND,
    measurements: [
      row('A', 'Waist', 25, 27, 29, 31.5, 34, 37),
      row('B', 'Front rise', 11, 11.25, 11.75, 12.25, 12.75, 13.25),
      row('C', 'Thigh', 10.5, 11, 11.5, 12.25, 13, 13.75),
      row('D', 'Inseam', 29.5, 29.5, 30, 30, 30.5, 30.5),
      row('E', 'Hem', 7.5, 7.75, 8, 8.25, 8.5, 8.75),
    ],
    between: 'Take the smaller one in stiff denim: it gives at the waist, not at the hem.',
  },
  WOMEN_TROUSERS: {
    outline: 'trouser',
    how: WAIST_ROUND,
    measurements: [
      row('A', 'Waist', 25.5, 27.5, 29.5, 32, 34.5, 37.5),
      row('B', 'Front rise', 11.75, 12, 12.5, 13, 13.5, 14),
      row('C', 'Thigh', 12, 12.5, 13, 13.75, 14.5, 15.25),
      row('D', 'Inseam', 29, 29, 29.5, 29.5, 30, 30),
      row('E', 'Hem', 9.5, 9.75, 10, 10.25, 10.5, 10.75),
    ],
    between: 'Take the larger one and let the waist be taken in. The other way round is harder.',
  },
};

/** The table of a kind of garment; undefined for a kind that nobody has measured. */
export function sizeTable(gender: Gender, subcategory: Subcategory): SizeTable | undefined {
  return tables[`${gender}_${subcategory}`];
}
