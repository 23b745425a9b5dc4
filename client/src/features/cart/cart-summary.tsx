import { Button, ButtonLink } from '~/ui/button';
import { ArrowRightIcon } from '~/ui/icons';
import { formatPrice } from '~/ui/price';
import type { CartTotalsFragment } from './cart-summary.generated';
import styles from './cart-summary.module.css';
import { DiscountCode } from './discount-code';
import { texts } from './cart-texts';

/** What the cart comes to, and the way on. */
export function CartSummary({ cart }: { cart: CartTotalsFragment }) {
  return (
    <aside className={styles.summary} aria-labelledby="order-summary">
      <h2 id="order-summary">{texts.summary}</h2>
      <dl className={styles.sums}>
        <div>
          <dt>{texts.subtotal}</dt>
          <dd aria-live="polite">{formatPrice(cart.subtotal)}</dd>
        </div>
        {cart.discountCode && !cart.discountCode.problem && (
          <div>
            <dt>
              {texts.discount}, {cart.discountCode.code}
            </dt>
            <dd aria-live="polite">-{formatPrice(cart.discountCode.discount)}</dd>
          </div>
        )}
        <div>
          <dt>{texts.shipping}</dt>
          <dd className="soft">{texts.shippingLater}</dd>
        </div>
      </dl>
      <DiscountCode cart={cart} />
      {cart.canCheckOut ? (
        <ButtonLink kind="primary" wide to="/checkout" end={<ArrowRightIcon />}>
          {texts.checkOut}
        </ButtonLink>
      ) : (
        <>
          <Button kind="primary" wide disabled aria-describedby="cannot-check-out">
            {texts.checkOut}
          </Button>
          <p id="cannot-check-out" className="small">
            Remove or change the marked lines first.
          </p>
        </>
      )}
    </aside>
  );
}
