import { Head, Table } from '~/ui/table';
import type { DeliveryZoneRowFragment } from './pricing.generated';
import styles from './pricing.module.css';
import { RowActions } from './row-actions';
import { days, places, prices } from './words';

interface ZoneTableProps {
  zones: readonly DeliveryZoneRowFragment[];
  /** Only the owner may change them. */
  allowed: boolean;
  onEdit: (zone: DeliveryZoneRowFragment) => void;
  onRemove: (zone: DeliveryZoneRowFragment) => void;
}

/** Where parcels go, for how much. */
export function ZoneTable({ zones, allowed, onEdit, onRemove }: ZoneTableProps) {
  return (
    <Table label="Delivery zones">
      <thead>
        <tr>
          <Head>Zone</Head>
          <Head>Price</Head>
          <Head>Takes</Head>
          <Head hidden>Change</Head>
        </tr>
      </thead>
      <tbody>
        {zones.map((zone) => (
          <tr key={zone.id}>
            <th scope="row">
              {zone.name}
              <span className={`${styles.note} ${styles.list}`}>{places(zone)}</span>
            </th>
            <td data-label="Price">
              {prices(zone)}
              <span className={styles.note}>{zone.basis === 'WEIGHT' ? 'By weight' : 'By the price of the goods'}</span>
            </td>
            <td data-label="Takes">{days(zone)}</td>
            <RowActions
              of={zone.name}
              allowed={allowed}
              onChange={() => onEdit(zone)}
              onRemove={() => onRemove(zone)}
            />
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
