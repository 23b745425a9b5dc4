import { ReturnIcon, TruckIcon } from '~/ui/icons';
import { Link } from '~/ui/link';
import styles from './promises.module.css';
import { topics } from './topics';

/** What delivery and sending back cost and take: plain facts beside the decision. */
export function Promises({ returnDays }: { returnDays: number }) {
  return (
    <ul className={styles.promises}>
      <li>
        <TruckIcon />
        <p>
          <b>Delivery is included</b>
          <span>
            Nothing is added at checkout.{' '}
            <Link className="link" to={topics.shipping.to}>
              Where it goes
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
