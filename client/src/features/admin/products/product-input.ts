import type { CreateProductInput } from '~/graphql/schema.generated';
import { parseAmount } from '~/ui/amount';
import { gridOf, type ProductValues, variantsOf } from './product-rules';

/** The form as the schema takes it; `imageIds` are the uploaded pictures in the form's order. Needs valid values. */
export function productInput(values: ProductValues, imageIds: readonly string[]): CreateProductInput {
  const { gender, subcategory, colors, sizes, images, exact, discountedPrice } = values;
  if (!gender || !subcategory) throw new TypeError('The form was not checked.');

  return {
    name: values.name.trim(),
    subtitle: values.subtitle.trim(),
    description: values.description.trim(),
    price: parseAmount(values.price).value ?? values.price,
    discountedPrice: parseAmount(discountedPrice).value,
    gender,
    subcategory,
    colors: colors.map(({ name, hex }) => ({ name, hex })),
    sizes,
    ...(exact ? { variants: variantsOf({ ...values, grid: gridOf(values) }) } : { stock: Number(values.stock) }),
    images: imageIds.map((imageId, index) => {
      const color = colors.findIndex(({ key }) => key === images[index]?.colorKey);
      return { imageId, color: color < 0 ? null : color };
    }),
  };
}
