import { useEffect, useRef, useState } from 'react';
import { toResult } from '~/graphql/settled';
import { useStartCheckoutMutation } from './checkout.generated';
import { texts } from './texts';

type StartedCheckout =
  | { state: 'waiting' }
  | { state: 'ready'; clientSecret: string; sessionId: string }
  | { state: 'refused'; message: string };

/** Reserves the cart and opens a payment, once for each visit of the page. */
export function useStartedCheckout(addressId: string | null): StartedCheckout {
  const [startCheckout] = useStartCheckoutMutation();
  const [started, setStarted] = useState<StartedCheckout>({ state: 'waiting' });
  const isStarted = useRef(false);

  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    void toResult(startCheckout({ variables: { addressId } })).then(({ data, message }) => {
      const result = data?.startCheckout;
      if (result?.__typename === 'Checkout') {
        const { clientSecret, sessionId } = result;
        setStarted({ state: 'ready', clientSecret, sessionId });
      } else setStarted({ state: 'refused', message: result?.message ?? message ?? texts.notStarted });
    });
  }, [startCheckout, addressId]);

  return started;
}
