import { toast } from '~/ui/toast';
import { texts } from './texts';

interface AddedVariant {
  color: { id: string };
  size: string;
}

/** Says what was put in the cart, with the way there; returns the words, which stay on the page for longer. */
export function tellAdded(
  { name, colors }: { name: string; colors: readonly { id: string; name: string }[] },
  { color, size }: AddedVariant,
  quantity: number,
): string {
  const colorName = colors.find(({ id }) => id === color.id)?.name;
  const words = texts.addedPieces([name, colorName, size].filter(Boolean).join(', '), quantity);
  toast.success(words, { label: texts.viewCart, to: '/cart' });
  return words;
}
