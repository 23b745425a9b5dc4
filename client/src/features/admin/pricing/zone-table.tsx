import { DataTable } from '~/ui/data-table';
import type { DeliveryZoneRowFragment } from './pricing.generated';
import styles from './pricing.module.css';
import { RowActions } from './row-actions';
import { texts } from './texts';
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
    <DataTable
      label="Delivery zones"
      rows={zones}
      empty={texts.everywhereFree}
      columns={[
        {
          title: 'Zone',
          isRowHeader: true,
          cell: (zone) => (
            <>
              {zone.name}
              <span className={`${styles.note} ${styles.list}`}>{places(zone)}</span>
            </>
          ),
        },
        {
          title: 'Price',
          label: true,
          cell: (zone) => (
            <>
              {prices(zone)}
              <span className={styles.note}>{zone.basis === 'WEIGHT' ? 'By weight' : 'By the price of the goods'}</span>
            </>
          ),
        },
        { title: 'Takes', label: true, cell: days },
        {
          title: 'Change',
          kind: 'controls',
          cell: (zone) => (
            <RowActions
              of={zone.name}
              allowed={allowed}
              onChange={() => onEdit(zone)}
              onRemove={() => onRemove(zone)}
            />
          ),
        },
      ]}
    />
  );
}
