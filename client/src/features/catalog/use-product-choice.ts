import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Size } from '~/graphql/schema.generated';
import type { ProductCardFragment } from './product-card.generated';
import type { ProductRowFragment } from './product-list.generated';
import { sizesInColor } from './stock';

type ChoosableProduct = Pick<ProductCardFragment, 'colors'> & Pick<ProductRowFragment, 'sizes' | 'variants'>;

interface Start {
  colorId: string;
  size: Size | null;
  quantity: number;
}

/** What an address asks for (`variant`, `quantity`), else the first color, and the size if there is only one. */
function startOf(product: ChoosableProduct, query: URLSearchParams): Start {
  const wanted = product.variants.find(({ id }) => id === query.get('variant'));
  const quantity = Number(query.get('quantity') ?? '1');
  return {
    colorId: wanted?.color.id ?? product.colors[0]?.id ?? '',
    size: wanted?.size ?? (product.sizes.length === 1 ? (product.sizes[0] ?? null) : null),
    quantity: Number.isInteger(quantity) && quantity >= 1 ? quantity : 1,
  };
}

/** Color, size and quantity on their way into the cart. */
export function useProductChoice(product: ChoosableProduct) {
  const [query] = useSearchParams();
  const [start] = useState(() => startOf(product, query));
  const [colorId, setColorId] = useState(start.colorId);
  const [size, setSize] = useState(start.size);
  const [wanted, setQuantity] = useState(start.quantity);
  const [sizeMissing, setSizeMissing] = useState(false);

  const color = product.colors.find(({ id }) => id === colorId) ?? product.colors[0];
  const sizes = sizesInColor(product.sizes, product.variants, colorId);
  const variant = sizes.find((one) => one.size === size)?.variant ?? null;
  const stock = variant?.stock;

  return {
    color,
    sizes,
    size,
    variant,
    quantity: stock ? Math.min(wanted, stock) : wanted,
    max: stock || undefined,
    soldOut: size !== null && !stock,
    sizeMissing: sizeMissing && size === null,
    chooseColor: setColorId,
    chooseSize: setSize,
    setQuantity,
    askForSize: () => setSizeMissing(true),
  };
}

export type ProductChoice = ReturnType<typeof useProductChoice>;
