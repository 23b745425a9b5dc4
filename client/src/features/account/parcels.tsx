import type { OrderCardFragment } from './order.generated';
import styles from './order-timeline.module.css';

/** Where each parcel of an order can be followed. */
export function Parcels({ shipments }: { shipments: OrderCardFragment['shipments'] }) {
  if (shipments.length === 0) return null;
  return (
    <ul className={styles.parcels} aria-label="Parcels">
      {shipments.map(({ id, carrier, trackingNumber, trackingUrl }) => (
        <li key={id}>
          {carrier}
          {trackingNumber && (
            <>
              {', '}
              {trackingUrl ? (
                <a className="link" href={trackingUrl} target="_blank" rel="noreferrer">
                  {trackingNumber}
                </a>
              ) : (
                trackingNumber
              )}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
