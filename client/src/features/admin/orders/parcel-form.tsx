import { type FormEvent, useId, useState } from 'react';
import { Field } from '~/ui/field';
import { FormEnd } from './form-end';
import styles from './order.module.css';
import type { AdminOrderDetailFragment, AdminShipmentFragment } from './order.generated';
import { useCorrectShipmentMutation, useShipOrderMutation } from './order.generated';
import { done } from './outcome';
import { Pieces, piecesInput } from './pieces';
import { texts } from './texts';

interface Parcel {
  carrier: string;
  trackingNumber: string;
  trackingUrl: string;
}

function ParcelFields({ parcel, carriers, onChange }: {
  parcel: Parcel;
  carriers: readonly string[];
  onChange: (parcel: Parcel) => void;
}) {
  const list = useId();
  const knows = carriers.some((name) => name.toLowerCase() === parcel.carrier.trim().toLowerCase());
  return (
    <>
      <Field
        label="Carrier"
        list={list}
        value={parcel.carrier}
        onChange={({ target }) => onChange({ ...parcel, carrier: target.value })}
      />
      <datalist id={list}>
        {carriers.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
      <Field
        label="Tracking number (optional)"
        value={parcel.trackingNumber}
        onChange={({ target }) => onChange({ ...parcel, trackingNumber: target.value })}
      />
      <Field
        label="Tracking link (optional)"
        type="url"
        value={parcel.trackingUrl}
        note={knows ? 'Left empty, it is made from the number.' : undefined}
        onChange={({ target }) => onChange({ ...parcel, trackingUrl: target.value })}
      />
    </>
  );
}

interface ShipFormProps {
  order: AdminOrderDetailFragment;
  carriers: readonly string[];
  onClose: () => void;
}

/** Which pieces leave, and who carries them. */
export function ShipForm({ order, carriers, onClose }: ShipFormProps) {
  const [shipOrder, { loading }] = useShipOrderMutation({ refetchQueries: ['AdminCounts'] });
  const waiting = order.lines.filter(({ toShip }) => toShip > 0).map((line) => ({ line, most: line.toShip }));
  const [chosen, setChosen] = useState(Object.fromEntries(waiting.map(({ line, most }) => [line.id, most])));
  const last = order.shipments.at(-1)?.carrier ?? '';
  const [parcel, setParcel] = useState<Parcel>({ carrier: last, trackingNumber: '', trackingUrl: '' });
  const [refusal, setRefusal] = useState<string>();

  async function submit(event: FormEvent) {
    event.preventDefault();
    const variables = { orderId: order.id, parcel, lines: piecesInput(chosen) };
    const words = { done: texts.sent, otherwise: texts.sendFailed };
    const why = await done(shipOrder({ variables }), (data) => data.shipOrder, words);
    setRefusal(why);
    if (!why) onClose();
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <Pieces lines={waiting} chosen={chosen} onChoose={setChosen} verb="to send" />
      <ParcelFields parcel={parcel} carriers={carriers} onChange={setParcel} />
      <FormEnd refusal={refusal} submit="Send" working={loading && 'Sending ...'} onClose={onClose} />
    </form>
  );
}

interface CorrectFormProps {
  shipment: AdminShipmentFragment;
  carriers: readonly string[];
  onClose: () => void;
}

/** How a parcel travels after all. */
export function CorrectForm({ shipment, carriers, onClose }: CorrectFormProps) {
  const [correctShipment, { loading }] = useCorrectShipmentMutation();
  const [parcel, setParcel] = useState<Parcel>({
    carrier: shipment.carrier,
    trackingNumber: shipment.trackingNumber ?? '',
    trackingUrl: '',
  });
  const [refusal, setRefusal] = useState<string>();

  async function submit(event: FormEvent) {
    event.preventDefault();
    const words = { done: texts.corrected, otherwise: texts.changeFailed };
    const sent = correctShipment({ variables: { id: shipment.id, parcel } });
    const why = await done(sent, (data) => data.correctShipment, words);
    setRefusal(why);
    if (!why) onClose();
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <p>The buyer gets another mail with what changes.</p>
      <ParcelFields parcel={parcel} carriers={carriers} onChange={setParcel} />
      <FormEnd refusal={refusal} submit="Correct it" working={loading && 'Correcting ...'} onClose={onClose} />
    </form>
  );
}
