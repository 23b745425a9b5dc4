import { useCallback, useEffect, useRef, useState } from 'react';
import { toResult } from '~/graphql/settled';
import { type QuoteFragment, useStartCheckoutMutation } from './checkout.generated';
import { texts } from './texts';

type StartedCheckout =
  | { state: 'waiting' }
  | { state: 'ready'; clientSecret: string; sessionId: string; quote: QuoteFragment }
  | { state: 'refused'; message: string };

interface Entry {
  addressId: string | null;
  /** The payment session that this entry of the browser's history has shown before. */
  shownSessionId: string | undefined;
  /** Resolves to true when a session needs no payment any more; the page is left then. */
  leaveIfSettled: (sessionId: string) => Promise<boolean>;
}

/**
 * Reserves the cart and opens a payment, once for each visit of the page. Back to a page that has shown a payment,
 * loaded again or restored by the browser as it was left, first asks whether that has been paid.
 */
export function useStartedCheckout({ addressId, shownSessionId, leaveIfSettled }: Entry): StartedCheckout {
  const [startCheckout] = useStartCheckoutMutation();
  const [started, setStarted] = useState<StartedCheckout>({ state: 'waiting' });
  const isStarted = useRef(false);

  const begin = useCallback(
    async (shown: string | undefined) => {
      if (shown && (await leaveIfSettled(shown))) return;
      const { data, message } = await toResult(startCheckout({ variables: { addressId } }));
      const result = data?.startCheckout;
      if (result?.__typename === 'Checkout') {
        const { clientSecret, sessionId, quote } = result;
        setStarted({ state: 'ready', clientSecret, sessionId, quote });
      } else setStarted({ state: 'refused', message: result?.message ?? message ?? texts.notStarted });
    },
    [startCheckout, addressId, leaveIfSettled],
  );

  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    void begin(shownSessionId);
  }, [begin, shownSessionId]);

  const openSessionId = started.state === 'ready' ? started.sessionId : undefined;
  useEffect(() => {
    if (!openSessionId) return;
    const restored = ({ persisted }: PageTransitionEvent) => {
      if (persisted) void leaveIfSettled(openSessionId);
    };
    window.addEventListener('pageshow', restored);
    return () => window.removeEventListener('pageshow', restored);
  }, [openSessionId, leaveIfSettled]);

  return started;
}
