import { useState } from 'react';
import type { Size } from '~/graphql/catalogue';
import { useSearchParams } from '~/ui/use-search-params';
import type { ProductCardFragment } from './product-card.generated';
import type { ProductRowFragment } from './product-list.generated';
import { sizesInColor } from './stock';

type ChoosableProduct = Pick<ProductCardFragment, 'colors'> & Pick<ProductRowFragment, 'sizes' | 'variants'>;

interface Start {
  colorId: string;
  size: Size | null;
  quantity: number;
}

/**
 * What an address asks for (`variant` with `quantity`, or `color` and `size`), else the first color, and the size if
 * there is only one.
 */
function startOf(product: ChoosableProduct, query: URLSearchParams): Start {
  const linkedVariant = product.variants.find(({ id }) => id === query.get('variant'));
  const quantity = Number(query.get('quantity') ?? '1');
  const color = product.colors.find(({ name }) => name === query.get('color')) ?? product.colors[0];
  const size = product.sizes.find((one) => one === query.get('size')) ?? null;
  return {
    colorId: linkedVariant?.color.id ?? color?.id ?? '',
    size: linkedVariant?.size ?? (product.sizes.length === 1 ? (product.sizes[0] ?? null) : size),
    quantity: Number.isInteger(quantity) && quantity >= 1 ? quantity : 1,
  };
}

/**
 * Color, size and quantity, of which an order may have `most`, on their way into the cart. A reload finds color and
 * size in the address.
 */
export function useProductChoice(product: ChoosableProduct, most: number) {
  const [query, setQuery] = useSearchParams();
  const [start] = useState(() => startOf(product, query));
  const [colorId, setColorId] = useState(start.colorId);
  const [size, setSize] = useState(start.size);
  const [chosenQuantity, setQuantity] = useState(start.quantity);
  const [sizeRequests, setSizeRequests] = useState(0);

  const color = product.colors.find(({ id }) => id === colorId) ?? product.colors[0];
  const sizes = sizesInColor(product.sizes, product.variants, colorId);
  const variant = sizes.find((one) => one.size === size)?.variant ?? null;
  const stock = variant?.stock;
  const max = Math.min(stock || most, most);

  function choose(chosenColorId: string, chosenSize: Size | null) {
    setColorId(chosenColorId);
    setSize(chosenSize);
    const next = new URLSearchParams(query);
    next.delete('variant');
    next.delete('size');
    const name = product.colors.find(({ id }) => id === chosenColorId)?.name;
    if (name) next.set('color', name);
    if (chosenSize) next.set('size', chosenSize);
    setQuery(next, { replace: true, preventScrollReset: true });
  }

  return {
    color,
    sizes,
    size,
    variant,
    quantity: Math.min(chosenQuantity, max),
    max,
    soldOut: size !== null && !stock,
    /** How often a size was asked for and is still missing. */
    sizeRequests: size === null ? sizeRequests : 0,
    choose,
    chooseColor: (id: string) => choose(id, size),
    chooseSize: (one: Size | null) => choose(color?.id ?? colorId, one),
    setQuantity,
    askForSize: () => setSizeRequests((count) => count + 1),
  };
}

export type ProductChoice = ReturnType<typeof useProductChoice>;
