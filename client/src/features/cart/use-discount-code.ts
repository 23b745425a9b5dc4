import { useState } from 'react';
import { toResult } from '~/graphql/settled';
import { toast } from '~/ui/toast';
import {
  type CartTotalsFragment,
  useRemoveDiscountCodeMutation,
  useApplyDiscountCodeMutation,
} from './cart-summary.generated';
import { texts } from './cart-texts';

/** Types a code into the cart and takes it out, shown before the server has answered; a refusal stands until the next try. */
export function useDiscountCode(cart: CartTotalsFragment) {
  const [sendCode, { loading: checking }] = useApplyDiscountCodeMutation();
  const [takeOut, { loading: removing }] = useRemoveDiscountCodeMutation();
  const [refusal, setRefusal] = useState<string | null>(null);
  const present = { ...cart, __typename: 'Cart' as const };

  /** Whether the code is in the cart now. */
  async function apply(code: string): Promise<boolean> {
    setRefusal(null);
    if (!code.trim()) {
      setRefusal(texts.codeMissing);
      return false;
    }
    const { data, message } = await toResult(sendCode({ variables: { code } }));
    const result = data?.applyDiscountCode;
    if (result?.__typename === 'Cart') return true;
    setRefusal(result?.message ?? message ?? texts.codeFailed);
    return false;
  }

  async function remove() {
    setRefusal(null);
    const { data, message } = await toResult(
      takeOut({ optimisticResponse: { removeDiscountCode: { ...present, discountCode: null } } }),
    );
    if (!data) toast.error(message ?? texts.codeNotRemoved);
  }

  return { apply, checking, refusal, remove: () => void remove(), removing };
}
