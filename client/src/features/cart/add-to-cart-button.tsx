import { type ReactNode, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { toResult } from '~/graphql/settled';
import { useUser } from '~/session/use-session';
import { track } from '~/session/visit';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { formatPrice } from '~/ui/price';
import { toast } from '~/ui/toast';
import { type AddToCartProductFragment, useAddToCartMutation } from './add-to-cart-button.generated';
import { signInToAdd } from './sign-in-to-add';
import { texts } from './texts';

const DONE_MS = 2000;

interface AddToCartButtonProps {
  product: AddToCartProductFragment;
  /** The variant of the chosen color and size; null until a size is chosen. */
  variantId: string | null;
  quantity: number;
  soldOut?: boolean;
  /** What was added from this page before. */
  added: ReactNode;
  onAdded: () => void;
  /** Pressed before a size was chosen. */
  onNeedsSize: () => void;
}

/** Puts the chosen variant in the cart. A visitor is led to sign-in, with the choice kept in the address. */
export function AddToCartButton({
  product,
  variantId,
  quantity,
  soldOut = false,
  added,
  onAdded,
  onNeedsSize,
}: AddToCartButtonProps) {
  const user = useUser();
  const navigate = useNavigate();
  const [addToCart, { loading }] = useAddToCartMutation();
  const [refusal, setRefusal] = useState<{ variantId: string; message: string } | null>(null);
  const [addedAt, setAddedAt] = useState<number | null>(null);

  useEffect(() => {
    if (addedAt === null) return;
    const timer = setTimeout(() => setAddedAt(null), DONE_MS);
    return () => clearTimeout(timer);
  }, [addedAt]);

  function refuse(variantId: string, message: string) {
    setRefusal({ variantId, message });
    toast.error(message);
  }

  async function add() {
    setRefusal(null);
    if (!variantId) {
      onNeedsSize();
      return;
    }
    if (!user) {
      void navigate(signInToAdd(product.id, variantId, quantity));
      return;
    }
    const { data, message } = await toResult(addToCart({ variables: { variantId, quantity } }));
    const result = data?.addToCart;
    if (result?.__typename === 'Cart') {
      setAddedAt(Date.now());
      onAdded();
      track('added', [product.id]);
    } else refuse(variantId, result?.message ?? message ?? texts.addFailed);
  }

  return (
    <>
      <Button
        kind="primary"
        wide
        disabled={soldOut}
        working={loading && texts.adding}
        done={addedAt !== null && texts.added}
        end={soldOut ? undefined : formatPrice(product.chargedPrice)}
        onClick={() => void add()}
      >
        {soldOut ? texts.soldOut : texts.add}
      </Button>
      {refusal?.variantId === variantId && <ErrorNote>{refusal.message}</ErrorNote>}
      {added}
    </>
  );
}
