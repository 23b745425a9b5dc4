import { EmbeddedCheckout, EmbeddedCheckoutProvider } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { useEffect, useState } from 'react';
import { Waiting } from '~/ui/ring';
import { loadScript, standInScript } from '~/ui/load-script';
import { texts } from './texts';

/** The loader takes a stand-in that is there already for the provider's own script. */
async function load(publishableKey: string) {
  const standIn = standInScript('stripe');
  if (standIn) await loadScript(standIn);
  return loadStripe(publishableKey);
}

interface CardFormProps {
  publishableKey: string;
  clientSecret: string;
  /** The payment provider's script did not come. */
  onUnavailable: () => void;
}

/** The payment provider's own form; it leads to the return page by itself. */
export function CardForm({ publishableKey, clientSecret, onUnavailable }: CardFormProps) {
  const [stripe, setStripe] = useState<Stripe | null>(null);

  useEffect(() => {
    let current = true;
    load(publishableKey)
      .then((loaded) => current && setStripe(loaded))
      .catch((error: unknown) => {
        console.error('The card form did not load.', error);
        if (current) onUnavailable();
      });
    return () => {
      current = false;
    };
  }, [publishableKey, onUnavailable]);

  if (!stripe) return <Waiting>{texts.preparing}</Waiting>;
  return (
    <EmbeddedCheckoutProvider stripe={stripe} options={{ clientSecret }}>
      <EmbeddedCheckout />
    </EmbeddedCheckoutProvider>
  );
}
