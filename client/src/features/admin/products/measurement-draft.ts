import type { Size } from '~/graphql/catalogue';
import type { MeasurementInput, MeasurementPoint } from '~/graphql/schema.generated';
import type { EditableProductFragment } from './product-form.generated';

export type LengthUnits = 'in' | 'cm';

/** One cell's text and its value: null while it is empty or invalid. */
export interface LengthDraft {
  typed: string;
  micrometers: number | null;
}

const PER: Readonly<Record<LengthUnits, number>> = { in: 25_400, cm: 10_000 };
const SHORTEST = 10_000;
const LONGEST = 3_000_000;

/** The server's name of a cell, in the form as well: "measurements.front_rise.M". */
export const lengthKey = (point: MeasurementPoint, size: Size) => `measurements.${point.toLowerCase()}.${size}`;

/** Null for what is no length between 1 and 300 cm. */
export function parseLength(typed: string, units: LengthUnits): number | null {
  const text = typed.trim().replace(',', '.');
  if (!/^\d{1,3}(\.\d{1,4})?$/.test(text)) return null;
  const micrometers = Math.round(Number(text) * PER[units]);
  return micrometers >= SHORTEST && micrometers <= LONGEST ? micrometers : null;
}

const typedLength = (micrometers: number, units: LengthUnits) =>
  String(Math.round((micrometers / PER[units]) * 100) / 100);

export function lengthsOf({ measurements }: EditableProductFragment, units: LengthUnits): Record<string, LengthDraft> {
  return Object.fromEntries(
    measurements.flatMap(({ point, lengths }) =>
      lengths.map(({ size, micrometers }) => [
        lengthKey(point, size),
        { typed: typedLength(micrometers, units), micrometers },
      ]),
    ),
  );
}

/** The same lengths in other units. What cannot be read stays as it was typed. */
export function inUnits(
  lengths: Readonly<Record<string, LengthDraft>>,
  units: LengthUnits,
): Record<string, LengthDraft> {
  return Object.fromEntries(
    Object.entries(lengths).map(([key, { typed, micrometers }]) => [
      key,
      { typed: micrometers === null ? typed : typedLength(micrometers, units), micrometers },
    ]),
  );
}

const BLOCK_CELL = 20;

/** Rows of cells as a spreadsheet copies them; null for a single value, which its field takes by itself. */
export function blockOf(copied: string): string[][] | null {
  const rows = copied
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => line.split('\t').map((text) => text.trim().slice(0, BLOCK_CELL)));
  return rows.length > 1 || (rows[0]?.length ?? 0) > 1 ? rows : null;
}

/** The lengths with a block laid over these points and sizes, its first cell on the first. What is beyond them is left out. */
export function withBlock(
  lengths: Readonly<Record<string, LengthDraft>>,
  block: readonly (readonly string[])[],
  points: readonly MeasurementPoint[],
  sizes: readonly Size[],
  units: LengthUnits,
): Record<string, LengthDraft> {
  const laid = points.flatMap((point, row) =>
    sizes.flatMap((size, column) => {
      const typed = block[row]?.[column];
      return typed === undefined
        ? []
        : [[lengthKey(point, size), { typed, micrometers: parseLength(typed, units) }] as const];
    }),
  );
  return { ...lengths, ...Object.fromEntries(laid) };
}

/** What is sent: the points of the kind in the sizes that are made. */
export function measurementInputs(
  lengths: Readonly<Record<string, LengthDraft>>,
  points: readonly MeasurementPoint[],
  sizes: readonly Size[],
): MeasurementInput[] {
  return points.flatMap((point) =>
    sizes.flatMap((size) => {
      const micrometers = lengths[lengthKey(point, size)]?.micrometers ?? null;
      return micrometers === null ? [] : [{ point, size, micrometers }];
    }),
  );
}
