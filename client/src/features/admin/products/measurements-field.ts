import { texts } from './texts';
import type { MeasurementPoint } from '~/graphql/schema.generated';
import type { ProductDraft } from './product-draft';
import type { Change } from '~/features/admin/changes';
import type { ProductField } from './product-field';
import type { ProductFormOptionsFragment } from './product-form.generated';
import { inUnits, lengthsOf, measurementInputs } from './measurement-draft';

const valueAt = ({ lengths }: ProductDraft, key: string) =>
  lengths[key]?.micrometers ?? lengths[key]?.typed.trim() ?? '';

/** The categories of the chosen department, hidden ones as well. */
export const categoriesOf = ({ gender }: Pick<ProductDraft, 'gender'>, { admin }: ProductFormOptionsFragment) =>
  admin?.departments.find(({ key }) => key === gender)?.categories ?? [];

/** What the chosen kind is measured at. */
export const pointsOf = (draft: ProductDraft, options: ProductFormOptionsFragment): readonly MeasurementPoint[] =>
  categoriesOf(draft, options).find(({ kind }) => kind.key === draft.subcategory)?.measurementPoints ?? [];

function changes(base: ProductDraft, draft: ProductDraft): Change[] {
  const keys = new Set([...Object.keys(base.lengths), ...Object.keys(draft.lengths)]);
  return [...keys]
    .filter((key) => valueAt(base, key) !== valueAt(draft, key))
    .map((key) => ({ key, label: key.replace('measurements.', '').replace('.', ' ').replace('_', ' ') }));
}

export const measurementsField: ProductField = {
  names: ['measurements'],
  parts: ['lengths', 'lengthUnits'],
  answeredBy: ['lengths', 'sizes'],
  read: (product) => ({ lengthUnits: 'in', lengths: lengthsOf(product, 'in') }),
  problems({ lengths, sizes }) {
    const invalid = Object.entries(lengths).filter(
      ([key, { typed, micrometers }]) =>
        typed.trim() && micrometers === null && sizes.some((size) => key.endsWith(`.${size}`)),
    );
    return Object.fromEntries(invalid.map(([key]) => [key, texts.invalidLength]));
  },
  changes,
  merge: (mine, theirs, changed) => ({
    lengthUnits: mine.lengthUnits,
    lengths: {
      ...inUnits(theirs.lengths, mine.lengthUnits),
      ...Object.fromEntries(Object.entries(mine.lengths).filter(([key]) => changed.has(key))),
    },
  }),
  edit: ({ lengths, sizes }, { points }) => ({
    measurements: points.length > 0 ? measurementInputs(lengths, points, sizes) : null,
  }),
  create: () => ({}),
};
