import { type Size, SIZES } from '~/graphql/catalogue';
import type { ProductDraft } from './product-draft';
import type { ProductFormOptionsFragment } from './product-form.generated';

/** What the product can be made in, from small to large; `axes` are two where a size is a value of each. */
export interface CategorySizes {
  sizes: readonly Size[];
  axes: readonly { name: string; values: readonly string[] }[];
}

/** Those of the chosen category, and letters before one is chosen. */
export function sizesOfCategory(
  { gender, subcategory }: Pick<ProductDraft, 'gender' | 'subcategory'>,
  { categories }: ProductFormOptionsFragment,
): CategorySizes {
  const chosen = categories.find(({ department, kind }) => department.key === gender && kind.key === subcategory);
  if (!chosen) return { sizes: SIZES, axes: [] };
  const { sizes, axes } = chosen.sizeSystem;
  return { sizes, axes: axes.map(({ name, values }) => ({ name, values: values.map((value) => value.name) })) };
}
