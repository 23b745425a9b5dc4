import type { CreateProductInput, UpdateProductInput } from '~/graphql/schema.generated';
import { emptyDraft, type ProductDraft } from './product-draft';
import type { Change } from '~/features/admin/changes';
import type { EditContext, Problems, ProductField } from './product-field';
import type { EditableProductFragment } from './product-form.generated';
import { measurementsField } from './measurements-field';
import { picturesField } from './pictures-field';
import { categoryField, detailsField, fieldsOfText, genderField } from './plain-fields';
import { colorsField, sizesField, stockField } from './variant-fields';

/** All fields of a product, in the order in which their changes are named. */
const fields: readonly ProductField[] = [
  ...fieldsOfText,
  genderField,
  categoryField,
  detailsField,
  colorsField,
  sizesField,
  stockField,
  measurementsField,
  picturesField,
];

const together = <Part extends object>(parts: readonly Part[]): Part => Object.assign({}, ...parts) as Part;

/** The draft of a saved product, moments by the clock of a time zone; of a new one it is the empty draft. */
export const draftOf = (product: EditableProductFragment | null, timeZone: string): ProductDraft =>
  product ? { ...emptyDraft, ...together(fields.map(({ read }) => read(product, timeZone))) } : emptyDraft;

/** What keeps a draft from being sent. `product` is null while one is created. */
export const problemsOf = (draft: ProductDraft, product: EditableProductFragment | null): Problems =>
  together(fields.map(({ problems }) => problems(draft, product)));

export const changesBetween = (base: ProductDraft, draft: ProductDraft): Change[] =>
  fields.flatMap(({ changes }) => changes(base, draft));

/** My changes on top of those saved meanwhile; where both changed a field, mine win. */
export function rebase(base: ProductDraft, mine: ProductDraft, theirs: ProductDraft): ProductDraft {
  const merged = fields.map(({ parts, changes, merge }): Partial<ProductDraft> => {
    const changed = new Set(changes(base, mine).map(({ key }) => key));
    if (merge) return merge(mine, theirs, changed);
    return changed.size > 0 ? Object.fromEntries(parts.map((part) => [part, mine[part]])) : {};
  });
  return { ...theirs, ...together(merged) };
}

// The fields together are the whole input, which a test compares with the schema.

/** A whole product with what was seen of it. Needs a draft without problems, its pictures uploaded. */
export const editInput = (draft: ProductDraft, context: EditContext) =>
  together(fields.map(({ edit }) => edit(draft, context))) as UpdateProductInput;

/** A new product. Needs a draft without problems, its pictures uploaded. */
export const createInput = (draft: ProductDraft, timeZone: string) =>
  together(fields.map(({ create }) => create(draft, timeZone))) as CreateProductInput;

const fieldOf = (name: string) => fields.find(({ names }) => names.includes(name.split('.')[0] ?? ''));

/** The server's refusal as problems of the form, and what it says of no field of it. */
export function placeErrors(errors: readonly { field: string; message: string }[]) {
  const placed = errors.flatMap(({ field, message }) => {
    const [name] = fieldOf(field)?.names ?? [];
    return name ? [[field.includes('.') ? field : name, message] as const] : [];
  });
  const rest = errors.filter(({ field }) => !fieldOf(field)).map(({ message }) => message);
  return { problems: Object.fromEntries(placed) as Problems, rest: rest.join(' ') };
}

/** The problems that these edits are not about. */
export function withoutAnswered(problems: Problems, edits: Partial<ProductDraft>): Problems {
  const isAnswered = (name: string) => {
    const { answeredBy, parts = [] } = fieldOf(name) ?? {};
    return (answeredBy ?? parts).some((part) => part in edits);
  };
  return Object.fromEntries(Object.entries(problems).filter(([name]) => !isAnswered(name)));
}
