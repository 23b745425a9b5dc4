import { useCallback, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { CardForm } from '~/features/checkout/card-form';
import { DeliverTo } from '~/features/checkout/deliver-to';
import { OrderSummary } from '~/features/checkout/order-summary';
import { Steps } from '~/features/checkout/steps';
import { texts } from '~/features/checkout/texts';
import { useStartedCheckout } from '~/features/checkout/use-started-checkout';
import { isSettled } from '~/features/checkout/verdict';
import { SignedInOnly } from '~/session/guards';
import { checkoutMemory } from '~/session/checkout-memory';
import { track } from '~/session/visit';
import { ButtonLink } from '~/ui/button';
import { Failure } from '~/ui/empty';
import { Waiting } from '~/ui/ring';
import { Screen } from '~/ui/screen';
import styles from './checkout.module.css';
import { usePaymentQuery, usePaymentSummaryQuery } from './payment.generated';
import { useConfirmation } from './use-confirmation';

/** Reports the checkout event once both session and cart are known. */
function useTold(sessionId: string | null, products: string) {
  useEffect(() => {
    if (sessionId && products) track('checkout', products.split(' '), sessionId);
  }, [sessionId, products]);
}

function shownSession(state: unknown): string | undefined {
  const shown = typeof state === 'object' && state && 'sessionId' in state ? state.sessionId : undefined;
  return typeof shown === 'string' ? shown : undefined;
}

/** The payment that this entry of the history stands for. Once it is paid, the return page takes the entry's place. */
function useEntry() {
  const navigate = useNavigate();
  const confirm = useConfirmation();
  const [shownSessionId] = useState(shownSession(useLocation().state));

  const leaveIfSettled = useCallback(
    async (sessionId: string) => {
      const { answer } = await confirm(sessionId);
      if (!isSettled(answer)) return false;
      void navigate(`/payment/return?${new URLSearchParams({ session_id: sessionId })}`, { replace: true });
      return true;
    },
    [confirm, navigate],
  );
  const remember = useCallback(
    (sessionId: string) => void navigate('.', { replace: true, state: { sessionId } }),
    [navigate],
  );
  return { shownSessionId, leaveIfSettled, remember };
}

function PaymentFailure({ message }: { message: string }) {
  return (
    <Failure
      as="h1"
      title={texts.paymentFailed}
      action={
        <div className={styles.ways}>
          <ButtonLink to="/">{texts.returnHome}</ButtonLink>
          <ButtonLink to="/cart">{texts.backTo['/cart']}</ButtonLink>
        </div>
      }
    >
      {message}
    </Failure>
  );
}

function Payment() {
  const [addressId] = useState(checkoutMemory.addressId);
  const { shownSessionId, leaveIfSettled, remember } = useEntry();
  const started = useStartedCheckout({ addressId, shownSessionId, leaveIfSettled });
  const { data, error } = usePaymentQuery();
  const viewer = usePaymentSummaryQuery({ variables: { addressId } }).data?.viewer;
  const sessionId = started.state === 'ready' ? started.sessionId : null;
  useEffect(() => {
    if (sessionId) remember(sessionId);
  }, [sessionId, remember]);
  const products = new Set(viewer?.cart.lines.map(({ product }) => product.id));
  useTold(sessionId, [...products].join(' '));
  const [formFailed, setFormFailed] = useState(false);
  const onUnavailable = useCallback(() => setFormFailed(true), []);
  const failure = started.state === 'refused' ? started.message : (error || formFailed) && texts.formFailed;
  if (failure) return <PaymentFailure message={failure} />;

  const expected = viewer?.checkoutQuote.__typename === 'CheckoutQuote' ? viewer.checkoutQuote : null;
  const quote = started.state === 'ready' ? started.quote : expected;
  return (
    <>
      <Steps current="Payment" />
      <h1 className="h1-calm">{texts.payment}</h1>
      <div className={styles.columns}>
        <div className={styles.pay}>
          {quote && <DeliverTo address={quote.address} />}
          {started.state === 'ready' && data ? (
            <CardForm
              publishableKey={data.shop.stripePublishableKey}
              clientSecret={started.clientSecret}
              onUnavailable={onUnavailable}
            />
          ) : (
            <Waiting>{texts.preparing}</Waiting>
          )}
        </div>
        {viewer && viewer.cart.lines.length > 0 && (
          <OrderSummary cart={viewer.cart} quote={quote} stale={started.state !== 'ready'} refusal={null} />
        )}
      </div>
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
