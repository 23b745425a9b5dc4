import { useRef } from 'react';
import { CartLineRow } from '~/features/cart/cart-line-row';
import { CartSummary } from '~/features/cart/cart-summary';
import { CartUnavailable } from '~/features/cart/cart-unavailable';
import { EmptyCart } from '~/features/cart/empty-cart';
import { texts } from '~/features/cart/texts';
import { serverWords } from '~/graphql/settled';
import { SignedInOnly } from '~/session/guards';
import { Waiting } from '~/ui/ring';
import { Screen } from '~/ui/screen';
import { WithoutScript } from '~/ui/without-script';
import { useCartQuery } from './cart.generated';
import styles from './cart.module.css';

const EAGER_LINES = 2;

function Cart() {
  const { data, error } = useCartQuery({ fetchPolicy: 'cache-and-network' });
  const heading = useRef<HTMLHeadingElement>(null);
  const cart = data?.viewer?.cart;

  if (!cart && error) return <CartUnavailable message={serverWords(error)} />;
  return (
    <div className={styles.cart}>
      <h1 ref={heading} tabIndex={-1}>
        {texts.title}
      </h1>
      <WithoutScript what="Changing the cart or paying" />
      {!cart && <Waiting>Fetching your cart</Waiting>}
      {cart?.lines.length === 0 && <EmptyCart />}
      {cart && cart.lines.length > 0 && (
        <>
          <ul className={styles.lines}>
            {cart.lines.map((line, index) => (
              <CartLineRow
                key={line.id}
                line={line}
                eager={index < EAGER_LINES}
                onRemoved={() => heading.current?.focus()}
              />
            ))}
          </ul>
          <CartSummary cart={cart} />
        </>
      )}
    </div>
  );
}

export default function CartRoute() {
  return (
    <SignedInOnly>
      <Screen title={texts.title}>
        <Cart />
      </Screen>
    </SignedInOnly>
  );
}
