import { useCallback, useState } from 'react';
import { CardForm } from '~/features/checkout/card-form';
import { Steps } from '~/features/checkout/steps';
import { texts } from '~/features/checkout/texts';
import { useStartedCheckout } from '~/features/checkout/use-started-checkout';
import { SignedInOnly } from '~/session/guards';
import { checkoutMemory } from '~/session/storage';
import { ButtonLink } from '~/ui/button';
import { Failure } from '~/ui/empty';
import { Waiting } from '~/ui/ring';
import { Screen } from '~/ui/screen';
import styles from './checkout.module.css';
import { usePaymentKeyQuery } from './payment.generated';

function Payment() {
  const started = useStartedCheckout(checkoutMemory.addressId());
  const { data, error } = usePaymentKeyQuery();
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
