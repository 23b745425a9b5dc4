import type { ReactNode } from 'react';
import { BagIcon } from '~/ui/icons';
import { Picture } from '~/ui/picture';
import { formatPrice } from '~/ui/price';
import type { CheckoutCartFragment } from './checkout.generated';
import styles from './order-summary.module.css';
import { texts } from './texts';

/** What is about to be bought, with the way on below it. */
export function OrderSummary({ cart, children }: { cart: CheckoutCartFragment; children: ReactNode }) {
  return (
    <aside className={styles.summary} aria-labelledby="order-summary">
      <h2 id="order-summary">{texts.summary}</h2>
      <ul>
        {cart.lines.map(({ id, product, variant, image, quantity, total, problem }) => (
          <li key={id} className={styles.line}>
            {image ? (
              <Picture image={image} sizes="64px" decorative />
            ) : (
              <span className={styles.plate}>
                <BagIcon />
              </span>
            )}
            <div>
              <p className={styles.name}>{product.name}</p>
              <p className="small soft">
                {variant.color.name}, {variant.size}, quantity {quantity}
              </p>
              {problem && <p className={`small ${styles.problem}`}>Cannot be bought as it stands</p>}
            </div>
            <p>{formatPrice(total)}</p>
          </li>
        ))}
      </ul>
      <dl className={styles.sums}>
        <div>
          <dt>{texts.subtotal}</dt>
          <dd>{formatPrice(cart.subtotal)}</dd>
        </div>
        <div className={styles.total}>
          <dt>{texts.total}</dt>
          <dd>{formatPrice(cart.subtotal)}</dd>
        </div>
      </dl>
      {children}
    </aside>
  );
}
