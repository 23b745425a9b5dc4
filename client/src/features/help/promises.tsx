import { ReturnIcon, TruckIcon } from '~/ui/icons';
import { Link } from '~/ui/link';
import { deliveryInShort } from './delivery';
import type { DeliveryInShortFragment } from './delivery.generated';
import styles from './promises.module.css';
import { topics } from './topics';

/** What delivery and sending back cost and take: plain facts beside the decision. */
export function Promises({ shop }: { shop: DeliveryInShortFragment & { returnDays: number } }) {
  const delivery = deliveryInShort(shop);
  const { returnDays } = shop;
  return (
    <ul className={styles.promises}>
      <li>
        <TruckIcon />
        <p>
          <b>{delivery?.title ?? 'Delivery is included'}</b>
          <span>
            {delivery?.words ?? 'Nothing is added at checkout.'}{' '}
            <Link className="link" to={topics.shipping.to}>
              {delivery ? 'Other countries' : 'Where it goes'}
            </Link>
          </span>
        </p>
      </li>
      <li>
        <ReturnIcon />
        <p>
          <b>
            {returnDays} {returnDays === 1 ? 'day' : 'days'} to return it, free
          </b>
          <span>
            Tried on is fine. Washed is not.{' '}
            <Link className="link" to={topics.returns.to}>
              How
            </Link>
          </span>
        </p>
      </li>
    </ul>
  );
}
