import { ErrorNote } from '~/ui/error-note';
import { AlertIcon, BagIcon } from '~/ui/icons';
import { Link } from '~/ui/link';
import { Picture } from '~/ui/picture';
import { formatPrice, Price } from '~/ui/price';
import { Stepper } from '~/ui/stepper';
import styles from './cart-line-row.module.css';
import type { CartLineFragment } from './cart-line.generated';
import { priceNote, problemNote } from './line-notes';
import { useCartLine } from './use-cart-line';

interface CartLineRowProps {
  line: CartLineFragment;
  /** Seen without scrolling. */
  eager?: boolean | undefined;
  /** The line has gone, and with it whatever was focused in it. */
  onRemoved: () => void;
}

/** One variant in the cart: what it is, what it costs, what changed since, how many, and the way out. */
export function CartLineRow({ line, eager, onRemoved }: CartLineRowProps) {
  const { quantity, pending, changeQuantity, remove, removing, refusal } = useCartLine(line, onRemoved);
  const { product, variant, image, unitPrice, price } = line;
  const problem = problemNote(line);
  const changed = priceNote(line);
  const gone = line.problem === 'SOLD_OUT' || line.problem === 'RETIRED';
  const to = `/product/${product.id}`;

  return (
    <li className={styles.line} aria-busy={pending || removing}>
      <div className={`${styles.picture} ${gone ? styles.gone : ''}`}>
        {image ? (
          <Picture image={image} sizes="150px" eager={eager} decorative />
        ) : (
          <span className={styles.thumbnail}>
            <BagIcon />
          </span>
        )}
      </div>
      <div className={styles.facts}>
        <h2 className={styles.name}>
          {line.problem === 'RETIRED' ? product.name : <Link to={to}>{product.name}</Link>}
        </h2>
        <div className={styles.price}>
          <Price price={price} discountedPrice={unitPrice} />
        </div>
        <p className={styles.choice}>
          {variant.color.name}, {variant.size}
        </p>
        {quantity > 1 && !gone && !pending && (
          <p className={styles.sum}>
            {quantity} x {formatPrice(unitPrice)} = <strong>{formatPrice(line.total)}</strong>
          </p>
        )}
        {changed && !gone && (
          <p className={styles.note}>
            <AlertIcon size={16} />
            <span>{changed}</span>
          </p>
        )}
        {problem && <ErrorNote>{problem}</ErrorNote>}
        {refusal && <ErrorNote>{refusal}</ErrorNote>}
      </div>
      <div className={styles.controls}>
        {gone ? (
          line.problem === 'SOLD_OUT' && (
            <Link to={to} className="link small">
              Choose another size
            </Link>
          )
        ) : (
          <Stepper label={`Quantity of ${product.name}`} value={quantity} onChange={changeQuantity} />
        )}
        <button
          type="button"
          className={`link small ${styles.remove}`}
          aria-label={`Remove ${product.name}`}
          disabled={removing}
          onClick={remove}
        >
          {removing ? 'Removing ...' : 'Remove'}
        </button>
      </div>
    </li>
  );
}
