import { DataTable } from '~/ui/data-table';
import type { ShippingAndTaxDetailsFragment } from './pricing.generated';
import { RowActions } from './row-actions';
import { texts } from './texts';

type Tax = ShippingAndTaxDetailsFragment['taxRates'][number];

interface TaxTableProps {
  taxes: readonly Tax[];
  /** Only the owner may change them. */
  allowed: boolean;
  onEdit: (tax: Tax) => void;
  onRemove: (tax: Tax) => void;
}

/** What is taxed where. */
export function TaxTable({ taxes, allowed, onEdit, onRemove }: TaxTableProps) {
  return (
    <DataTable
      label="Taxes"
      rows={taxes}
      keyOf={({ country }) => country.code}
      empty={texts.noTax}
      columns={[
        { title: 'Country', isRowHeader: true, cell: ({ country }) => country.name },
        { title: 'Tax', label: true, cell: ({ name, rate }) => `${name} ${rate}` },
        { title: 'Delivery', label: true, cell: ({ onDelivery }) => (onDelivery ? 'Taxed too' : 'Not taxed') },
        {
          title: 'Change',
          kind: 'controls',
          cell: (tax) => (
            <RowActions
              of={`the tax of ${tax.country.name}`}
              allowed={allowed}
              onChange={() => onEdit(tax)}
              onRemove={() => onRemove(tax)}
            />
          ),
        },
      ]}
    />
  );
}
