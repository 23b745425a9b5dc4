import { useCallback, useEffect, useState } from 'react';
import { CardForm } from '~/features/checkout/card-form';
import { Steps } from '~/features/checkout/steps';
import { texts } from '~/features/checkout/texts';
import { useStartedCheckout } from '~/features/checkout/use-started-checkout';
import { SignedInOnly } from '~/session/guards';
import { checkoutMemory } from '~/session/storage';
import { track } from '~/session/visit';
import { ButtonLink } from '~/ui/button';
import { Failure } from '~/ui/empty';
import { Waiting } from '~/ui/ring';
import { Screen } from '~/ui/screen';
import styles from './checkout.module.css';
import { usePaymentQuery } from './payment.generated';

/** Reports the checkout event once both session and cart are known. */
function useTold(sessionId: string | null, products: string) {
  useEffect(() => {
    if (sessionId && products) track('checkout', products.split(' '), sessionId);
  }, [sessionId, products]);
}

function Payment() {
  const started = useStartedCheckout(checkoutMemory.addressId());
  const { data, error } = usePaymentQuery();
  const products = new Set(data?.viewer?.cart.lines.map(({ product }) => product.id));
  useTold(started.state === 'ready' ? started.sessionId : null, [...products].join(' '));
  const [formFailed, setFormFailed] = useState(false);
  const onUnavailable = useCallback(() => setFormFailed(true), []);
  const failure = started.state === 'refused' ? started.message : (error || formFailed) && texts.formFailed;

  if (failure) {
    return (
      <Failure
        as="h1"
        title={texts.paymentFailed}
        action={
          <div className={styles.ways}>
            <ButtonLink to="/">{texts.returnHome}</ButtonLink>
            <ButtonLink to="/cart">Back to the cart</ButtonLink>
          </div>
        }
      >
        {failure}
      </Failure>
    );
  }
  return (
    <>
      <Steps current="Payment" />
      <h1 className="h1-calm">{texts.payment}</h1>
      {started.state === 'ready' && data ? (
        <CardForm
          publishableKey={data.shop.stripePublishableKey}
          clientSecret={started.clientSecret}
          onUnavailable={onUnavailable}
        />
      ) : (
        <Waiting>{texts.preparing}</Waiting>
      )}
    </>
  );
}

export default function PaymentRoute() {
  return (
    <SignedInOnly>
      <Screen title={texts.payment} className={styles.screen}>
        <Payment />
      </Screen>
    </SignedInOnly>
  );
}
