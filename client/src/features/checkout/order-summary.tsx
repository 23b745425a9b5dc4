import type { ReactNode } from 'react';
import { ErrorNote } from '~/ui/error-note';
import { BagIcon } from '~/ui/icons';
import { Picture } from '~/ui/picture';
import { formatPrice } from '~/ui/price';
import { Sums, SumsSoFar } from '~/ui/sums';
import type { CheckoutCartFragment, QuoteFragment } from './checkout.generated';
import styles from './order-summary.module.css';
import { texts } from './texts';

interface OrderSummaryProps {
  cart: CheckoutCartFragment;
  /** What it comes to at the chosen address; null until one is chosen. */
  quote: QuoteFragment | null;
  /** Another address is being calculated. */
  stale: boolean;
  /** Why it cannot be sent there. */
  refusal: string | null;
  children?: ReactNode;
}

/** What is about to be bought and what it comes to, with the way on below it. */
export function OrderSummary({ cart, quote, stale, refusal, children }: OrderSummaryProps) {
  const { subtotal, discountCode } = cart;
  return (
    <aside className={styles.summary} aria-labelledby="order-summary">
      <h2 id="order-summary">{texts.summary}</h2>
      <ul>
        {cart.lines.map(({ id, product, variant, image, quantity, total, problem }) => (
          <li key={id} className={styles.line}>
            {image ? (
              <Picture image={image} sizes="64px" decorative />
            ) : (
              <span className={styles.thumbnail}>
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
      {quote ? (
        <Sums of={quote} stale={stale} />
      ) : (
        <SumsSoFar
          of={{ subtotal, discountCode: discountCode?.code ?? null, discount: discountCode?.discount ?? '0.00' }}
          why={refusal ? texts.notDelivered : stale ? texts.calculating : texts.chooseFirst}
        />
      )}
      {refusal && <ErrorNote>{refusal}</ErrorNote>}
      {children}
    </aside>
  );
}
