import styles from './price.module.css';

/** An exact decimal string from the schema ("1234.5"), shown in dollars with two decimals ("$1,234.50"). */
export function formatPrice(amount: string): string {
  const [, sign, whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(amount) ?? [];
  if (sign === undefined) throw new TypeError(`Not an amount: ${amount}`);
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${sign}$${grouped}.${fraction.padEnd(2, '0').slice(0, 2)}`;
}

function cents(amount: string): bigint {
  return BigInt(formatPrice(amount).replace(/[$,.]/g, ''));
}

/** Whether a discount counts: set, and lower than the price. */
export function isDiscounted(price: string, discountedPrice: string | null | undefined): discountedPrice is string {
  return discountedPrice != null && cents(discountedPrice) > 0n && cents(discountedPrice) < cents(price);
}

interface PriceProps {
  price: string;
  discountedPrice?: string | null;
}

/** The price; a discounted one is red and precedes the struck-through original. */
export function Price({ price, discountedPrice }: PriceProps) {
  if (!isDiscounted(price, discountedPrice)) return <span className={styles.price}>{formatPrice(price)}</span>;
  return (
    <span className={styles.price}>
      <span className={styles.lower}>
        <span className="visually-hidden">Now </span>
        {formatPrice(discountedPrice)}
      </span>
      <s className={styles.old}>
        <span className="visually-hidden">Before </span>
        {formatPrice(price)}
      </s>
    </span>
  );
}
