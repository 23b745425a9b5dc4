import { AddressLines } from '~/ui/address-lines';
import { formatDay } from '~/ui/format';
import type { AdminOrderDetailFragment } from './order.generated';
import styles from './slip.module.css';
import { texts } from './texts';

interface SlipProps {
  order: AdminOrderDetailFragment;
  /** The shipment it belongs to; without one, it lists what is still to be sent. */
  parcelId: string | null;
}

function contents(order: AdminOrderDetailFragment, parcelId: string | null) {
  const parcel = order.shipments.find(({ id }) => id === parcelId);
  return order.lines
    .map((line) => ({
      line,
      pieces: parcel ? (parcel.lines.find((each) => each.line.id === line.id)?.quantity ?? 0) : line.toShip,
    }))
    .filter(({ pieces }) => pieces > 0);
}

/** The packing slip of a shipment, without prices. */
export function Slip({ order, parcelId }: SlipProps) {
  const rows = contents(order, parcelId);
  const parcel = order.shipments.find(({ id }) => id === parcelId);
  const count = rows.reduce((sum, { pieces }) => sum + pieces, 0);
  return (
    <article className={styles.slip} aria-label={`Packing slip ${order.number}`}>
      <header className={styles.head}>
        <p className={styles.wordmark}>Minimal</p>
        <h2>Packing slip {order.number}</h2>
      </header>
      <div className={styles.facts}>
        <div>
          <h3>Goes to</h3>
          <AddressLines address={order.shippingAddress} />
        </div>
        <dl>
          <div>
            <dt>Ordered</dt>
            <dd>{formatDay(order.createdAt)}</dd>
          </div>
          {parcel && (
            <div>
              <dt>Sent</dt>
              <dd>
                {formatDay(parcel.shippedAt)}, {[parcel.carrier, parcel.trackingNumber].filter(Boolean).join(' ')}
              </dd>
            </div>
          )}
        </dl>
      </div>
      {rows.length === 0 ? (
        <p>Nothing of this order is waiting to be sent.</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Packed</th>
              <th scope="col">Item</th>
              <th scope="col">SKU</th>
              <th scope="col">Color</th>
              <th scope="col">Size</th>
              <th scope="col">Pieces</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ line, pieces }) => (
              <tr key={line.id}>
                <td>
                  <span className={styles.box} />
                  <span className="visually-hidden">To tick</span>
                </td>
                <th scope="row">{line.name ?? texts.noName}</th>
                <td>{line.sku}</td>
                <td>{line.color}</td>
                <td>{line.size}</td>
                <td>{pieces}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={5}>
                Pieces in all
              </th>
              <td>{count}</td>
            </tr>
          </tfoot>
        </table>
      )}
    </article>
  );
}
