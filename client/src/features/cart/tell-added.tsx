import type { ReactNode } from 'react';
import { Link } from '~/ui/link';
import { toast } from '~/ui/toast';

interface AddedVariant {
  color: { id: string };
  size: string;
}

const viewCart = 'View cart';
const addedPieces = (piece: string, quantity: number) =>
  `Added to your cart: ${quantity > 1 ? `${quantity} x ` : ''}${piece}`;

/** Says what was put in the cart, with the way there; returns the same for the page, where it stays for longer. */
export function tellAdded(
  { name, colors }: { name: string; colors: readonly { id: string; name: string }[] },
  { color, size }: AddedVariant,
  quantity: number,
): ReactNode {
  const colorName = colors.find(({ id }) => id === color.id)?.name;
  const words = addedPieces([name, colorName, size].filter(Boolean).join(', '), quantity);
  toast.success(words, { label: viewCart, to: '/cart' });
  return (
    <p className="small">
      {words}.{' '}
      <Link to="/cart" className="link">
        {viewCart}
      </Link>
    </p>
  );
}
