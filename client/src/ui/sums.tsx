import { formatPrice } from './price';
import styles from './sums.module.css';

interface Goods {
  subtotal: string;
  discountCode: string | null;
  discount: string;
}

/** What a total is made of, as the server worked it out; nothing is added up here. */
export interface Purchase extends Goods {
  delivery: { name: string; price: string; minDays: number | null; maxDays: number | null };
  tax: { name: string; rate: string; amount: string; isIncluded: boolean } | null;
  total: string;
}

const isNothing = (amount: string) => /^0(\.0*)?$/.test(amount);

/** "3 to 5 working days"; undefined when it is not said. */
export function daysInWords(least: number | null, most: number | null): string | undefined {
  if (least === null || most === null) return undefined;
  if (most <= 1) return most === 0 ? 'The same day' : 'The next working day';
  return least === most ? `${most} working days` : `${least} to ${most} working days`;
}

function GoodsRows({ of }: { of: Goods }) {
  return (
    <>
      <div>
        <dt>Subtotal</dt>
        <dd>{formatPrice(of.subtotal)}</dd>
      </div>
      {!isNothing(of.discount) && (
        <div>
          <dt>Discount{of.discountCode && `, ${of.discountCode}`}</dt>
          <dd>-{formatPrice(of.discount)}</dd>
        </div>
      )}
    </>
  );
}

/** The rows of a purchase whose delivery is not known, because of `why`: as high as those that will come. */
export function SumsSoFar({ of, why }: { of: Goods; why: string }) {
  return (
    <dl className={styles.sums}>
      <GoodsRows of={of} />
      <div>
        <dt>
          Shipping
          <span className={styles.note}>&nbsp;</span>
        </dt>
        <dd className="soft">{why}</dd>
      </div>
      <div className={styles.total}>
        <dt>Total</dt>
        <dd className="soft">–</dd>
      </div>
    </dl>
  );
}

/** The rows of a purchase down to its total; `stale` while another address is being calculated. */
export function Sums({ of, stale = false }: { of: Purchase; stale?: boolean }) {
  const { delivery, tax } = of;
  const days = daysInWords(delivery.minDays, delivery.maxDays);
  return (
    <dl className={styles.sums} aria-busy={stale}>
      <GoodsRows of={of} />
      <div>
        <dt>
          Shipping{delivery.name && `, ${delivery.name}`}
          {days && <span className={styles.note}>{days}</span>}
        </dt>
        <dd>{isNothing(delivery.price) ? 'Free' : formatPrice(delivery.price)}</dd>
      </div>
      {tax && !tax.isIncluded && (
        <div>
          <dt>
            {tax.name} {tax.rate}
          </dt>
          <dd>{formatPrice(tax.amount)}</dd>
        </div>
      )}
      <div className={styles.total}>
        <dt>
          Total
          {tax?.isIncluded && (
            <span className={styles.note}>
              Includes {formatPrice(tax.amount)} {tax.name} {tax.rate}
            </span>
          )}
        </dt>
        <dd>{formatPrice(of.total)}</dd>
      </div>
    </dl>
  );
}
