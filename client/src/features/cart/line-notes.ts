import { formatPrice, isDiscounted } from '~/ui/price';
import type { CartLineFragment } from './cart-line.generated';

type Line = Pick<CartLineFragment, 'problem' | 'quantity' | 'unitPrice' | 'priceWhenAdded'> & {
  variant: Pick<CartLineFragment['variant'], 'size' | 'stock'>;
};

/** Why the line cannot be bought; null when it can. */
export function problemNote({ problem, quantity, variant }: Line): string | null {
  switch (problem) {
    case 'RETIRED':
      return 'No longer sold. It is not counted in the subtotal.';
    case 'SOLD_OUT':
      return `Sold out in ${variant.size}. It is not counted in the subtotal.`;
    case 'NOT_ENOUGH_STOCK':
      return `Only ${variant.stock} left in ${variant.size}; you want ${quantity}.`;
    case null:
      return null;
  }
}

/** What happened to the price since the line was put in; null when nothing did. */
export function priceNote({ unitPrice, priceWhenAdded }: Line): string | null {
  const before = `It was ${formatPrice(priceWhenAdded)}.`;
  if (isDiscounted(priceWhenAdded, unitPrice)) return `The price went down since you added it. ${before}`;
  if (isDiscounted(unitPrice, priceWhenAdded)) return `The price went up since you added it. ${before}`;
  return null;
}
