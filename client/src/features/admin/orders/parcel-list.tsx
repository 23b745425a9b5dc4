import { useState } from 'react';
import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog';
import { Status } from '~/ui/status';
import { Moment } from '~/ui/time-zone';
import { ChangedMeanwhile } from './changed-meanwhile';
import styles from './order.module.css';
import { type AdminOrderDetailFragment, type AdminShipmentFragment, useMarkDeliveredMutation } from './order.generated';
import { done, type Refusal } from './outcome';
import { CorrectForm } from './parcel-form';
import { called } from './pieces';
import { texts } from './texts';

interface ParcelProps {
  order: AdminOrderDetailFragment;
  shipment: AdminShipmentFragment;
  carriers: readonly string[];
}

function Tracking({ shipment: { carrier, trackingNumber, trackingUrl } }: { shipment: AdminShipmentFragment }) {
  const words = [carrier, trackingNumber].filter(Boolean).join(', ');
  return trackingUrl ? (
    <a className="link" href={trackingUrl} target="_blank" rel="noreferrer">
      {words}
    </a>
  ) : (
    <span>{words}</span>
  );
}

function Parcel({ order, shipment, carriers }: ParcelProps) {
  const [markDelivered, { loading }] = useMarkDeliveredMutation();
  const [correcting, setCorrecting] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();

  async function deliver() {
    const words = { done: texts.delivered, otherwise: texts.changeFailed };
    const sent = markDelivered({ variables: { id: shipment.id, version: order.version } });
    setRefusal(await done(sent, (data) => data.markDelivered, words));
  }

  return (
    <li className={styles.item}>
      <div className={styles.itemHead}>
        <Status mark={shipment.deliveredAt ? 'full' : 'half'}>
          {shipment.deliveredAt ? 'Delivered' : 'On its way'}
        </Status>
        <Tracking shipment={shipment} />
        <Moment at={shipment.shippedAt} className="small soft" />
      </div>
      <ul className={styles.plain}>
        {shipment.lines.map(({ line: { id }, quantity }) => {
          const line = order.lines.find((each) => each.id === id);
          return (
            <li key={id}>
              {quantity} × {line ? called(line) : 'a piece'}
            </li>
          );
        })}
      </ul>
      {refusal && <ChangedMeanwhile refusal={refusal} onLook={() => setRefusal(undefined)} />}
      <div className={styles.itemActions}>
        {!shipment.deliveredAt && !refusal?.changes.length && (
          <Button small working={loading && 'Saving ...'} onClick={() => void deliver()}>
            Mark as delivered
          </Button>
        )}
        <Button small onClick={() => setCorrecting(true)}>
          Correct
        </Button>
        <a className="link small" href={`${order.packingSlipUrl}?shipment=${shipment.id}`}>
          Packing slip (PDF)
        </a>
        <a className="link small" href={`${order.addressLabelUrl}?shipment=${shipment.id}`}>
          Address label (PDF)
        </a>
      </div>
      <Dialog open={correcting} title="Correct the parcel" onClose={() => setCorrecting(false)}>
        <CorrectForm order={order} shipment={shipment} carriers={carriers} onClose={() => setCorrecting(false)} />
      </Dialog>
    </li>
  );
}

/** What has left the shop. */
export function ParcelList({ order, carriers }: Omit<ParcelProps, 'shipment'>) {
  return (
    <ul className={styles.list}>
      {order.shipments.map((shipment) => (
        <Parcel key={shipment.id} order={order} shipment={shipment} carriers={carriers} />
      ))}
    </ul>
  );
}
