import { AddressLines } from '~/ui/address-lines';
import { formatMomentIn, formatUntilIn } from '~/ui/format';
import { BagIcon } from '~/ui/icons';
import { Link } from '~/ui/link';
import { Picture } from '~/ui/picture';
import { formatPrice } from '~/ui/price';
import { Status } from '~/ui/status';
import { daysInWords, Sums } from '~/ui/sums';
import { texts as ui } from '~/ui/account-texts';
import type { PaidOrderFragment } from './complete-checkout.generated';
import styles from './paid-order.module.css';

interface PaidOrderProps {
  order: PaidOrderFragment;
  /** The shop's, by its IANA name. */
  timeZone: string;
}

/** When an order was paid, by the shop's clock. */
export function PaidAt({ order, timeZone }: PaidOrderProps) {
  return (
    <p className="small">
      <Status mark="full">{`Paid ${formatMomentIn(timeZone, order.createdAt)}`}</Status>
    </p>
  );
}

/** "3 to 5 working days, Europe". */
function deliveryWords({ name, minDays, maxDays }: PaidOrderFragment['delivery']): string {
  return [daysInWords(minDays, maxDays), name].filter(Boolean).join(', ');
}

interface FactsProps extends PaidOrderProps {
  /** Where the confirmation goes. */
  email: string;
}

/** What a shopper wants to know of an order that was just paid. */
export function PaidFacts({ order, timeZone, email }: FactsProps) {
  const delivery = deliveryWords(order.delivery);
  return (
    <dl className={styles.facts}>
      <div>
        <dt>Order</dt>
        <dd className={styles.number}>{order.number}</dd>
      </div>
      <div>
        <dt>Delivery</dt>
        <dd>
          {delivery}
          <span className={styles.note}>
            {delivery ? 'From the day it leaves. We write when it does.' : 'We write when it leaves.'}
          </span>
        </dd>
      </div>
      <div>
        <dt>Shipping address</dt>
        <dd>
          <AddressLines address={order.shippingAddress} />
        </dd>
      </div>
      {order.cancelableUntil && (
        <div>
          <dt>Cancel until</dt>
          <dd>
            <time dateTime={order.cancelableUntil}>{formatUntilIn(timeZone, order.cancelableUntil)}</time>
            <span className={styles.note}>
              <Link to="/account" state={{ tab: 'orders' }} className="link">
                Cancel this order
              </Link>
            </span>
          </dd>
        </div>
      )}
      <div>
        <dt>Confirmation</dt>
        <dd className={styles.email}>On its way to {email}</dd>
      </div>
    </dl>
  );
}

const pieces = (count: number) => `${count} ${count === 1 ? 'piece' : 'pieces'}`;

/** What was bought and what it came to. */
export function PaidPieces({ order }: { order: PaidOrderFragment }) {
  return (
    <section className={styles.pieces} aria-labelledby="paid-pieces">
      <h2 id="paid-pieces">{pieces(order.lines.reduce((count, { quantity }) => count + quantity, 0))}</h2>
      <ul>
        {order.lines.map(({ id, name, color, size, quantity, total, image }) => (
          <li key={id} className={styles.line}>
            {image ? (
              <Picture image={image} sizes="92px" decorative />
            ) : (
              <span className={styles.thumbnail}>
                <BagIcon />
              </span>
            )}
            <div>
              <p className={styles.name}>{name ?? ui.noProductName}</p>
              <p className="small soft">{[color, size].filter(Boolean).join(', ')}</p>
              <p className="small soft">Quantity {quantity}</p>
            </div>
            <p>{formatPrice(total)}</p>
          </li>
        ))}
      </ul>
      <Sums of={{ ...order, total: order.totalAmount }} />
    </section>
  );
}
