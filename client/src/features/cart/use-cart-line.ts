import { useState } from 'react';
import { toast } from '~/ui/toast';
import { useAddToCartMutation } from './add-to-cart-button.generated';
import { type CartLineFragment, useRemoveFromCartMutation, useSetCartQuantityMutation } from './cart-line.generated';
import { texts } from './texts';
import { useWantedQuantity } from './use-wanted-quantity';

/** What can be done to one line. A refusal stands in `refusal` until the next try, and in a message. */
export function useCartLine({ id, quantity: stored }: CartLineFragment, onRemoved: () => void) {
  const [setQuantity] = useSetCartQuantityMutation();
  const [removeFromCart, { loading: removing }] = useRemoveFromCartMutation();
  const [addToCart] = useAddToCartMutation();
  const [refusal, setRefusal] = useState<string | null>(null);

  function refuse(message: string) {
    setRefusal(message);
    toast.error(message);
    return false;
  }

  async function send(quantity: number): Promise<boolean> {
    setRefusal(null);
    try {
      const { data } = await setQuantity({ variables: { variantId: id, quantity } });
      if (data?.setCartQuantity.__typename === 'Cart') return true;
      return refuse(data?.setCartQuantity.message ?? texts.quantityFailed);
    } catch {
      return refuse(texts.quantityFailed);
    }
  }

  async function putBack() {
    try {
      const { data } = await addToCart({ variables: { variantId: id, quantity: stored } });
      if (data?.addToCart.__typename !== 'Cart') toast.error(data?.addToCart.message ?? texts.addFailed);
    } catch {
      toast.error(texts.addFailed);
    }
  }

  async function remove() {
    setRefusal(null);
    try {
      const { data } = await removeFromCart({ variables: { variantId: id } });
      if (data?.removeFromCart.__typename !== 'Cart') {
        refuse(data?.removeFromCart.message ?? texts.removeFailed);
        return;
      }
      toast.success(texts.itemRemoved, { label: 'Undo', run: () => void putBack() });
      onRemoved();
    } catch {
      refuse(texts.removeFailed);
    }
  }

  const { quantity, pending, want } = useWantedQuantity(stored, send);
  return { quantity, pending, refusal, removing, changeQuantity: want, remove: () => void remove() };
}
