import { skipToken } from '@apollo/client/react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { EmptyCart } from '~/features/cart/empty-cart';
import { AddressChoice } from '~/features/checkout/address-choice';
import { OrderSummary } from '~/features/checkout/order-summary';
import { Steps } from '~/features/checkout/steps';
import { texts } from '~/features/checkout/texts';
import { serverWords } from '~/graphql/settled';
import { SignedInOnly } from '~/session/guards';
import { checkoutMemory } from '~/session/checkout-memory';
import { Button } from '~/ui/button';
import { Failure } from '~/ui/empty';
import { ArrowRightIcon } from '~/ui/icons';
import { Link } from '~/ui/link';
import { Waiting } from '~/ui/ring';
import { Screen } from '~/ui/screen';
import { toast } from '~/ui/toast';
import { type CheckoutQuery, useCheckoutQuery, useCheckoutQuoteQuery } from './checkout.generated';
import styles from './checkout.module.css';

type Viewer = NonNullable<CheckoutQuery['viewer']>;

/** The address chosen here, else the one chosen last time, else the default one. */
function useChosenAddress(addresses: Viewer['addresses']) {
  const [picked, setPicked] = useState(checkoutMemory.addressId);
  const chosen = addresses.find(({ id }) => id === picked) ?? addresses.find(({ isDefault }) => isDefault);

  function choose(id: string) {
    setPicked(id);
    checkoutMemory.setAddressId(id);
  }

  return { chosen: chosen?.id ?? null, choose };
}

/** The cart's total at an address, or why it cannot be delivered there; the last result stays until the next. */
function useQuote(addressId: string | null) {
  const { data, previousData, loading, error } = useCheckoutQuoteQuery(
    addressId ? { variables: { addressId }, fetchPolicy: 'network-only' } : skipToken,
  );
  const answer = (data ?? previousData)?.viewer?.checkoutQuote;
  const isQuote = answer?.__typename === 'CheckoutQuote';
  const refused = answer && !isQuote ? answer.message : null;
  return {
    quote: isQuote && addressId ? answer : null,
    stale: loading,
    refusal: loading ? null : error ? (serverWords(error) ?? texts.quoteFailed) : refused,
  };
}

/** What keeps the shopper from paying, in words; null when nothing does. */
function obstacle({ canCheckOut, discountCode }: Viewer['cart']): string | null {
  if (!canCheckOut) return 'Something in it cannot be bought as it stands.';
  return discountCode?.problem ? `${discountCode.code}: ${discountCode.problem}` : null;
}

function AddressAndSummary({ addresses, cart }: Viewer) {
  const navigate = useNavigate();
  const { chosen, choose } = useChosenAddress(addresses);
  const [missing, setMissing] = useState(false);
  const { quote, stale, refusal } = useQuote(chosen);
  const inTheWay = obstacle(cart);

  function goOn() {
    if (!chosen) {
      setMissing(true);
      toast.error(texts.addressMissing);
      return;
    }
    choose(chosen);
    void navigate('/payment');
  }

  return (
    <div className={styles.columns}>
      <AddressChoice addresses={addresses} chosen={chosen} onChoose={choose} missing={missing && !chosen} />
      <OrderSummary cart={cart} quote={quote} stale={stale} refusal={refusal}>
        <Button
          kind="primary"
          wide
          disabled={inTheWay !== null || refusal !== null}
          working={quote === null && stale && texts.calculating}
          end={<ArrowRightIcon />}
          onClick={goOn}
        >
          {texts.pay}
        </Button>
        <p className="small soft">
          {inTheWay === null ? (
            'We hold these pieces for you once you go on.'
          ) : (
            <>
              {inTheWay}{' '}
              <Link to="/cart" className="link">
                Change the cart
              </Link>
            </>
          )}
        </p>
      </OrderSummary>
    </div>
  );
}

function Checkout() {
  const { data, error, refetch } = useCheckoutQuery({ fetchPolicy: 'cache-and-network' });
  const viewer = data?.viewer;

  if (viewer?.cart.count === 0) return <EmptyCart />;
  if (viewer) return <AddressAndSummary {...viewer} />;
  if (!error) return <Waiting>Fetching your addresses</Waiting>;
  return (
    <Failure
      title={serverWords(error) ?? texts.addressesFailed}
      action={<Button onClick={() => void refetch()}>Try again</Button>}
    />
  );
}

export default function CheckoutRoute() {
  return (
    <SignedInOnly>
      <Screen title={texts.chooseAddress} className={styles.screen}>
        <Steps current="Address" />
        <h1 className="h1-calm">{texts.chooseAddress}</h1>
        <Checkout />
      </Screen>
    </SignedInOnly>
  );
}
