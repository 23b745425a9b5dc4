import { Button, ButtonLink } from '~/ui/button';
import { Empty } from '~/ui/empty';
import { ErrorNote } from '~/ui/error-note';
import { ArrowRightIcon } from '~/ui/icons';
import type { OrderCardFragment } from './order.generated';
import { OrderCard } from './order-card';
import styles from './order-history.module.css';
import { texts } from './texts';

interface OrderHistoryProps {
  orders: readonly OrderCardFragment[];
  /** The shop's, by its IANA name. */
  timeZone: string;
  total: number;
  /** Fetches the next page; left out when this is all. */
  onMore?: (() => void) | undefined;
  /** Why the next page did not come. */
  moreRefused?: string | null;
  loadingMore?: boolean;
}

export function OrderHistory({ orders, timeZone, total, onMore, moreRefused, loadingMore }: OrderHistoryProps) {
  if (orders.length === 0) {
    return (
      <Empty
        title={texts.noOrders}
        action={
          <ButtonLink kind="primary" to="/" end={<ArrowRightIcon />}>
            {texts.continueShopping}
          </ButtonLink>
        }
      >
        What you buy is listed here.
      </Empty>
    );
  }
  return (
    <>
      <ul className={styles.orders}>
        {orders.map((order) => (
          <li key={order.id}>
            <OrderCard order={order} timeZone={timeZone} />
          </li>
        ))}
      </ul>
      {moreRefused && <ErrorNote>{moreRefused}</ErrorNote>}
      {onMore && (
        <div className={styles.more}>
          <Button onClick={onMore} working={loadingMore && 'Fetching more ...'}>
            Show more
          </Button>
          <span className="small soft">
            {orders.length} of {total}
          </span>
        </div>
      )}
    </>
  );
}
