import { Head, Table } from '~/ui/table';
import type { ShippingAndTaxDetailsFragment } from './pricing.generated';
import { RowActions } from './row-actions';

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
    <Table label="Taxes">
      <thead>
        <tr>
          <Head>Country</Head>
          <Head>Tax</Head>
          <Head>Delivery</Head>
          <Head hidden>Change</Head>
        </tr>
      </thead>
      <tbody>
        {taxes.map((tax) => (
          <tr key={tax.country.code}>
            <th scope="row">{tax.country.name}</th>
            <td data-label="Tax">
              {tax.name} {tax.rate}
            </td>
            <td data-label="Delivery">{tax.onDelivery ? 'Taxed too' : 'Not taxed'}</td>
            <RowActions
              of={`the tax of ${tax.country.name}`}
              allowed={allowed}
              onChange={() => onEdit(tax)}
              onRemove={() => onRemove(tax)}
            />
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
