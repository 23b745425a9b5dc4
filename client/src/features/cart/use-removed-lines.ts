import { useState } from 'react';
import { toResult } from '~/graphql/settled';
import { toast } from '~/ui/toast';
import { useAddToCartMutation } from './add-to-cart-button.generated';
import type { CartLineFragment } from './cart-line.generated';
import { texts } from './cart-texts';
import { texts as adding } from './texts';

/** Lines that were removed since the page was opened, each to be put back in its quantity, from a message or the page. */
export function useRemovedLines() {
  const [lines, setLines] = useState<readonly CartLineFragment[]>([]);
  const [addToCart] = useAddToCartMutation();

  const drop = (id: string) => setLines((others) => others.filter((line) => line.id !== id));

  async function putBack({ id, quantity }: CartLineFragment) {
    const { data, message } = await toResult(addToCart({ variables: { variantId: id, quantity } }));
    const result = data?.addToCart;
    if (result?.__typename === 'Cart') drop(id);
    else toast.error(result?.message ?? message ?? adding.addFailed);
  }

  return {
    lines,
    putBack: (line: CartLineFragment) => void putBack(line),
    removed: (line: CartLineFragment) => {
      setLines((others) => [...others.filter(({ id }) => id !== line.id), line]);
      toast.success(texts.itemRemoved, { label: texts.undo, run: () => void putBack(line) });
    },
  };
}
