import type { Size } from '~/graphql/catalogue';

interface VariantStock {
  id: string;
  size: Size;
  stock: number;
  color: { id: string };
}

/** From this many pieces down the shop says how many are left. */
const FEW = 3;

/** Every size a product is made in, with its variant in one color. */
export function sizesInColor<V extends VariantStock>(sizes: readonly Size[], variants: readonly V[], colorId: string) {
  return sizes.map((size) => {
    const variant = variants.find((one) => one.color.id === colorId && one.size === size);
    return { size, variant, soldOut: !variant || variant.stock === 0 };
  });
}

/** "XS and XXL are sold out." Empty when nothing is. */
export function soldOutWords(sizes: readonly { size: Size; soldOut: boolean }[]): string {
  const gone = sizes.filter(({ soldOut }) => soldOut).map(({ size }) => size);
  if (gone.length === 0) return '';
  if (gone.length === sizes.length) return 'Every size is sold out in this color.';
  // Made when it is needed: the first thing of Intl takes ten milliseconds of a page's start.
  const list = new Intl.ListFormat('en-US', { type: 'conjunction' });
  return `${list.format(gone)} ${gone.length === 1 ? 'is' : 'are'} sold out.`;
}

/** "Only 2 left in M." for few; other stock levels are not shown. */
export function fewLeftWords(size: Size, stock: number): string {
  return stock > 0 && stock <= FEW ? `Only ${stock} left in ${size}.` : '';
}
