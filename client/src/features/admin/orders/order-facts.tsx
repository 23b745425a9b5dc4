import type { ReactNode } from 'react';
import { AddressLines } from '~/ui/address-lines';
import { Link } from '~/ui/link';
import { formatPrice } from '~/ui/price';
import { Moment } from '~/ui/time-zone';
import styles from './order.module.css';
import type { AdminOrderDetailFragment } from './order.generated';

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.fact}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Buyer({ order: { buyer, email } }: { order: AdminOrderDetailFragment }) {
  if (!buyer) return <p>{email}. The account is gone.</p>;
  return (
    <>
      <p>
        <Link to={`/admin/customers/${buyer.id}`} className="link">
          {buyer.name}
        </Link>
      </p>
      <p>{email}</p>
      <p className="small soft">
        {buyer.orderCount} {buyer.orderCount === 1 ? 'order' : 'orders'}, {formatPrice(buyer.spent)} kept
      </p>
    </>
  );
}

/** Who bought it, where it goes, and what the payment provider calls it. */
export function OrderFacts({ order }: { order: AdminOrderDetailFragment }) {
  const { sessionId, intentId } = order.payment;
  return (
    <>
      <Fact title="Buyer">
        <Buyer order={order} />
      </Fact>
      <Fact title="Goes to">
        <AddressLines address={order.shippingAddress} />
      </Fact>
      {order.disputes.map((dispute) => (
        <Fact key={dispute.id} title="Disputed by the bank">
          <p>
            {formatPrice(dispute.amount)}, {dispute.reason.replaceAll('_', ' ')}. {dispute.status.replaceAll('_', ' ')}
          </p>
          {dispute.isOpen && dispute.answerBy && (
            <p className="small">
              Answer at the payment provider by <Moment at={dispute.answerBy} />.
            </p>
          )}
        </Fact>
      ))}
      {(sessionId ?? intentId) && (
        <Fact title="Payment">
          <p className={styles.code}>{intentId ?? 'Nothing was charged'}</p>
          <p className={styles.code}>{sessionId}</p>
        </Fact>
      )}
    </>
  );
}
