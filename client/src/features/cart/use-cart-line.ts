import { useState } from 'react';
import { toResult } from '~/graphql/settled';
import { toast } from '~/ui/toast';
import { type CartLineFragment, useRemoveFromCartMutation, useSetCartQuantityMutation } from './cart-line.generated';
import { texts } from './cart-texts';
import { useWantedQuantity } from './use-wanted-quantity';

/** Actions on one line. A refusal is in `refusal` until the next attempt, and in a toast. */
export function useCartLine({ id, quantity: stored }: CartLineFragment, onRemoved: () => void) {
  const [setQuantity] = useSetCartQuantityMutation();
  const [removeFromCart, { loading: removing }] = useRemoveFromCartMutation();
  const [refusal, setRefusal] = useState<string | null>(null);

  function refuse(message: string) {
    setRefusal(message);
    toast.error(message);
    return false;
  }

  async function send(quantity: number): Promise<boolean> {
    setRefusal(null);
    const { data, message } = await toResult(setQuantity({ variables: { variantId: id, quantity } }));
    const result = data?.setCartQuantity;
    return result?.__typename === 'Cart' || refuse(result?.message ?? message ?? texts.quantityFailed);
  }

  async function remove() {
    setRefusal(null);
    const { data, message } = await toResult(removeFromCart({ variables: { variantId: id } }));
    const result = data?.removeFromCart;
    if (result?.__typename !== 'Cart') {
      refuse(result?.message ?? message ?? texts.removeFailed);
      return;
    }
    onRemoved();
  }

  const { quantity, pending, want } = useWantedQuantity(stored, send);
  return { quantity, pending, refusal, removing, changeQuantity: want, remove: () => void remove() };
}
