import type { Size } from '~/graphql/catalogue';
import type { MeasurementPoint } from '~/graphql/schema.generated';
import type { ProductMeasurementsFragment } from './measurements.generated';

export type Outline = 'shirt' | 'shapedShirt' | 'jean' | 'trouser';

interface MeasurementRow {
  point: MeasurementPoint;
  name: string;
  /** By size; one that is missing has not been measured. */
  micrometers: Partial<Record<Size, number>>;
}

export interface SizeTable {
  outline: Outline;
  /** How it was measured. */
  how: string;
  /** The first is A in the drawing. */
  rows: readonly MeasurementRow[];
  /** For a shopper between two sizes. */
  between: string;
}

/** What the drawing calls a row. */
export const letterOf = (index: number) => String.fromCodePoint(65 + index);

const pointNames: Readonly<Record<MeasurementPoint, string>> = {
  COLLAR: 'Collar',
  SHOULDER: 'Shoulder',
  CHEST: 'Chest',
  BUST: 'Bust',
  WAIST: 'Waist',
  SLEEVE: 'Sleeve',
  LENGTH: 'Length',
  FRONT_RISE: 'Front rise',
  THIGH: 'Thigh',
  INSEAM: 'Inseam',
  HEM: 'Hem',
};

const ROUND: ReadonlySet<MeasurementPoint> = new Set(['COLLAR', 'CHEST', 'BUST', 'WAIST']);

const kinds: Readonly<Record<string, Pick<SizeTable, 'outline' | 'between'>>> = {
  men_shirts: { outline: 'shirt', between: 'Take the larger one to wear it open, or over something.' },
  men_jeans: { outline: 'jean', between: 'Take the larger one for a loose leg.' },
  women_shirts: { outline: 'shapedShirt', between: 'Take the larger one where the bust decides.' },
  women_jeans: {
    outline: 'jean',
    between: 'Take the smaller one in stiff denim: it gives at the waist, not at the hem.',
  },
  women_trousers: {
    outline: 'trouser',
    between: 'Take the larger one and let the waist be taken in. The other way round is harder.',
  },
};

/** Of a kind that the owner has added: drawn by what it is measured at. */
function otherKind(points: readonly MeasurementPoint[]): Pick<SizeTable, 'outline' | 'between'> {
  const has = (point: MeasurementPoint) => points.includes(point);
  const outline = has('INSEAM') || has('THIGH') ? 'trouser' : has('BUST') ? 'shapedShirt' : 'shirt';
  return { outline, between: 'Take the larger one.' };
}

/** "Laid flat. Waist is measured all the way round." */
function howMeasured(points: readonly MeasurementPoint[], kind: string): string {
  const round = points.filter((point) => ROUND.has(point)).map((point) => pointNames[point]);
  const flat = kind === 'shirts' ? 'Laid flat, buttoned.' : 'Laid flat.';
  if (round.length === 0) return flat;
  const named = round.map((name, index) => (index === 0 ? name : name.toLowerCase())).join(' and ');
  return `${flat} ${named} ${round.length === 1 ? 'is' : 'are'} measured all the way round.`;
}

/** The product's own table; undefined without measurements. */
export function sizeTable({ category, measurements }: ProductMeasurementsFragment): SizeTable | undefined {
  if (measurements.length === 0) return undefined;
  const rows = measurements.map(({ point, lengths }) => ({
    point,
    name: pointNames[point],
    micrometers: Object.fromEntries(lengths.map(({ size, micrometers }) => [size, micrometers])),
  }));
  const points = rows.map(({ point }) => point);
  return {
    ...(kinds[category.key] ?? otherKind(points)),
    how: howMeasured(points, category.kind.key),
    rows,
  };
}
