import type { Change } from '~/features/admin/changes';
import type { CreateProductInput, UpdateProductInput, MeasurementPoint } from '~/graphql/schema.generated';
import type { ProductDraft } from './product-draft';
import type { EditableProductFragment } from './product-form.generated';

/** Messages by field: "price"; a cell of a table goes by its field and its place, as in "measurements.waist.M". */
export type Problems = Readonly<Record<string, string>>;

export interface EditContext {
  product: EditableProductFragment;
  /** What the chosen kind is measured at. */
  points: readonly MeasurementPoint[];
  /** By whose clock moments are typed. */
  timeZone: string;
}

/** A field of a product: everything that its form, its comparison and its mutations need of it. */
export interface ProductField {
  /** The key of its problems, then other names under which the server refuses it. */
  names: readonly [string, ...string[]];
  /** The parts of the draft that hold it. */
  parts: readonly (keyof ProductDraft)[];
  /** The parts of the draft whose edit removes its problems; its own when left out. */
  answeredBy?: readonly (keyof ProductDraft)[];
  /** Its parts of the draft of a saved product, moments by the clock of a time zone. */
  read: (product: EditableProductFragment, timeZone: string) => Partial<ProductDraft>;
  /** `product` is null while one is created. */
  problems: (draft: ProductDraft, product: EditableProductFragment | null) => Problems;
  /** What differs, in the order of the form. */
  changes: (base: ProductDraft, draft: ProductDraft) => Change[];
  /**
   * Lays my changes, whose keys are `changed`, over another admin's saved values. Without it the field is one thing, and
   * mine replaces theirs once I have changed it.
   */
  merge?: (mine: ProductDraft, theirs: ProductDraft, changed: ReadonlySet<string>) => Partial<ProductDraft>;
  edit: (draft: ProductDraft, context: EditContext) => Partial<UpdateProductInput>;
  create: (draft: ProductDraft, timeZone: string) => Partial<CreateProductInput>;
}

export const problemIf = (isBroken: boolean, key: string, message: string): Problems =>
  isBroken ? { [key]: message } : {};
