import { type Size, SIZES } from '~/graphql/catalogue';
import { categoriesOf } from './measurements-field';
import type { ProductDraft } from './product-draft';
import type { ProductFormOptionsFragment } from './product-form.generated';

/** What the product can be made in, from small to large; `axes` are two where a size is a value of each. */
export interface CategorySizes {
  sizes: readonly Size[];
  axes: readonly { name: string; values: readonly string[] }[];
}

/** Those of the chosen category, and letters before one is chosen. */
export function sizesOfCategory(
  draft: Pick<ProductDraft, 'gender' | 'subcategory'>,
  options: ProductFormOptionsFragment,
): CategorySizes {
  const chosen = categoriesOf(draft, options).find(({ kind }) => kind.key === draft.subcategory);
  if (!chosen) return { sizes: SIZES, axes: [] };
  const { sizes, axes } = chosen.sizeSystem;
  return { sizes, axes: axes.map(({ name, values }) => ({ name, values: values.map((value) => value.name) })) };
}
