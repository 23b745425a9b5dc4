import { useId, useState } from 'react';
import * as v from 'valibot';
import { useSentForm } from '~/graphql/use-sent-form';
import { Field } from '~/ui/field';
import styles from './order.module.css';
import type { AdminOrderDetailFragment, AdminShipmentFragment } from './order.generated';
import { useUpdateShipmentMutation, useShipOrderMutation } from './order.generated';
import { OrderFormEnd } from './order-form-end';
import { Pieces, pieces, piecesInput } from './pieces';
import { texts } from './texts';

const parcelRules = { carrier: v.string(), trackingNumber: v.string(), trackingUrl: v.string() };
const shipRules = v.object({ ...parcelRules, chosen: pieces });
const correctRules = v.object(parcelRules);

type Name = keyof typeof parcelRules;

interface ParcelFieldsProps {
  /** The carrier as typed so far. */
  carrier: string;
  carriers: readonly string[];
  field: (name: Name) => object;
}

function ParcelFields({ carrier, carriers, field }: ParcelFieldsProps) {
  const list = useId();
  const knows = carriers.some((name) => name.toLowerCase() === carrier.trim().toLowerCase());
  return (
    <>
      <Field label="Carrier" list={list} {...field('carrier')} />
      <datalist id={list}>
        {carriers.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
      <Field label="Tracking number (optional)" {...field('trackingNumber')} />
      <Field
        label="Tracking link (optional)"
        type="url"
        {...field('trackingUrl')}
        note={knows ? 'Left empty, it is made from the number.' : undefined}
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
  const [version] = useState(order.version);
  const [shipOrder] = useShipOrderMutation({ refetchQueries: ['AdminCounts'] });
  const waiting = order.lines.filter(({ toShip }) => toShip > 0).map((line) => ({ line, most: line.toShip }));
  const { changes, field, isSending, onSubmit, refusal, setValue, watch } = useSentForm({
    rules: shipRules,
    defaultValues: {
      carrier: order.shipments.at(-1)?.carrier ?? '',
      trackingNumber: '',
      trackingUrl: '',
      chosen: Object.fromEntries(waiting.map(({ line, most }) => [line.id, most])),
    },
    send: ({ chosen, ...parcel }) =>
      shipOrder({ variables: { id: order.id, version, input: { ...parcel, lines: piecesInput(chosen) } } }),
    done: 'OrderChanged',
    onDone: onClose,
    success: texts.sent,
    otherwise: texts.sendFailed,
  });

  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <Pieces
        lines={waiting}
        chosen={watch('chosen')}
        onChoose={(chosen) => setValue('chosen', chosen)}
        verb="to send"
      />
      <ParcelFields carrier={watch('carrier')} carriers={carriers} field={field} />
      <OrderFormEnd
        refusal={refusal}
        changes={changes}
        submit="Send"
        working={isSending && 'Sending ...'}
        cancel={texts.notNow}
        onCancel={onClose}
      />
    </form>
  );
}

interface CorrectFormProps {
  order: AdminOrderDetailFragment;
  shipment: AdminShipmentFragment;
  carriers: readonly string[];
  onClose: () => void;
}

/** How a parcel travels after all. */
export function CorrectForm({ order, shipment, carriers, onClose }: CorrectFormProps) {
  const [version] = useState(order.version);
  const [updateShipment] = useUpdateShipmentMutation();
  const { changes, field, isSending, onSubmit, refusal, watch } = useSentForm({
    rules: correctRules,
    defaultValues: { carrier: shipment.carrier, trackingNumber: shipment.trackingNumber ?? '', trackingUrl: '' },
    send: (input) => updateShipment({ variables: { id: shipment.id, version, input } }),
    done: 'OrderChanged',
    onDone: onClose,
    success: texts.corrected,
    otherwise: texts.changeFailed,
  });

  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <p>The buyer gets another mail with what changes.</p>
      <ParcelFields carrier={watch('carrier')} carriers={carriers} field={field} />
      <OrderFormEnd
        refusal={refusal}
        changes={changes}
        submit="Correct it"
        working={isSending && 'Correcting ...'}
        cancel={texts.notNow}
        onCancel={onClose}
      />
    </form>
  );
}
