import { useRef } from 'react';
import { CartLineRow } from '~/features/cart/cart-line-row';
import { CartSummary } from '~/features/cart/cart-summary';
import { CartUnavailable } from '~/features/cart/cart-unavailable';
import { EmptyCart } from '~/features/cart/empty-cart';
import { RemovedLines } from '~/features/cart/removed-lines';
import { texts } from '~/features/cart/cart-texts';
import { useRemovedLines } from '~/features/cart/use-removed-lines';
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
  const { lines: removedLines, removed, putBack } = useRemovedLines();
  const undo = <RemovedLines lines={removedLines} onUndo={putBack} />;

  if (!cart && error) return <CartUnavailable message={serverWords(error)} />;
  return (
    <div className={styles.cart}>
      <h1 ref={heading} tabIndex={-1}>
        {texts.title}
      </h1>
      <WithoutScript what="Changing the cart or paying" />
      {!cart && <Waiting>Fetching your cart</Waiting>}
      {cart?.lines.length === 0 && (
        <>
          {undo}
          <EmptyCart />
        </>
      )}
      {cart && cart.lines.length > 0 && (
        <>
          <div className={styles.lines}>
            <ul>
              {cart.lines.map((line, index) => (
                <CartLineRow
                  key={line.id}
                  line={line}
                  eager={index < EAGER_LINES}
                  onRemoved={() => {
                    removed(line);
                    heading.current?.focus();
                  }}
                />
              ))}
            </ul>
            {undo}
          </div>
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
