import { useEffect } from 'react';
import { useParams } from 'react-router';
import { Notes } from '~/features/admin/orders/notes';
import type { AdminOrderDetailFragment } from '~/features/admin/orders/order.generated';
import styles from '~/features/admin/orders/order.module.css';
import { OrderFacts } from '~/features/admin/orders/order-facts';
import { OrderHead } from '~/features/admin/orders/order-head';
import { OrderLines } from '~/features/admin/orders/order-lines';
import { OrderStory } from '~/features/admin/orders/order-story';
import { ParcelList } from '~/features/admin/orders/parcel-list';
import { RefundList } from '~/features/admin/orders/refund-list';
import { ReturnPanel } from '~/features/admin/orders/return-panel';
import { texts } from '~/features/admin/orders/texts';
import { PanelFailure } from '~/features/admin/panel';
import { serverWords } from '~/graphql/settled';
import { Waiting } from '~/ui/ring';
import { useAdminOrderQuery } from './admin-order.generated';

function Content({ order, carriers }: { order: AdminOrderDetailFragment; carriers: readonly string[] }) {
  return (
    <div>
      <OrderHead order={order} carriers={carriers} />
      <div className={styles.columns}>
        <div className={styles.main}>
          <section className={styles.part}>
            <h3>Items</h3>
            <OrderLines order={order} />
          </section>
          {order.returns.length > 0 && (
            <section className={styles.part}>
              <h3>Returns</h3>
              <ul className={styles.list}>
                {order.returns.map((returned) => (
                  <ReturnPanel key={returned.id} order={order} returned={returned} />
                ))}
              </ul>
            </section>
          )}
          {order.shipments.length > 0 && (
            <section className={styles.part}>
              <h3>Parcels</h3>
              <ParcelList order={order} carriers={carriers} />
            </section>
          )}
          {order.refunds.length > 0 && (
            <section className={styles.part}>
              <h3>Refunds</h3>
              <RefundList order={order} />
            </section>
          )}
          <section className={styles.part}>
            <h3>What happened</h3>
            <OrderStory events={order.timeline} />
          </section>
        </div>
        <div className={styles.side}>
          <OrderFacts order={order} />
          <Notes order={order} />
        </div>
      </div>
    </div>
  );
}

const REFUND_POLL_MS = 3000;

/** Whether money is about to go back, which takes seconds. */
function awaitsRefund({ isCanceled, paymentStatus, refunds }: AdminOrderDetailFragment): boolean {
  const isCharged = paymentStatus === 'PAID' || paymentStatus === 'PARTIALLY_REFUNDED';
  return refunds.some(({ status }) => status === 'PENDING') || (isCanceled && isCharged);
}

/** One order from all sides. */
export default function OrderScreen() {
  const { orderId = '' } = useParams();
  const { data, error, refetch, startPolling, stopPolling } = useAdminOrderQuery({
    variables: { id: orderId },
    fetchPolicy: 'cache-and-network',
    skipPollAttempt: () => document.hidden,
  });
  const admin = data?.admin;
  const waits = Boolean(admin?.order && awaitsRefund(admin.order));
  useEffect(() => {
    if (waits) startPolling(REFUND_POLL_MS);
    return stopPolling;
  }, [waits, startPolling, stopPolling]);

  if (!admin) {
    return error ? (
      <PanelFailure onRetry={() => void refetch()}>{serverWords(error) ?? texts.orderFailed}</PanelFailure>
    ) : (
      <Waiting>Fetching the order</Waiting>
    );
  }
  if (!admin.order) return <PanelFailure>{texts.noOrder}</PanelFailure>;
  return <Content order={admin.order} carriers={admin.carriers} />;
}
