import { Button } from '~/ui/button';
import { Head, Table } from '~/ui/table';
import table from '~/ui/table.module.css';
import type { TariffWholeFragment } from './pricing.generated';
import { texts } from './texts';

type Tax = TariffWholeFragment['taxRates'][number];

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
            <td className={table.actions}>
              <Button
                small
                disabled={!allowed}
                aria-label={`${texts.editZone} the tax of ${tax.country.name}`}
                onClick={() => onEdit(tax)}
              >
                {texts.editZone}
              </Button>
              <Button
                small
                disabled={!allowed}
                aria-label={`${texts.removeZone} the tax of ${tax.country.name}`}
                onClick={() => onRemove(tax)}
              >
                {texts.removeZone}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
