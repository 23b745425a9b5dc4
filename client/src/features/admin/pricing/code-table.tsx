import { Button } from '~/ui/button';
import { formatPrice } from '~/ui/price';
import { Status, type StatusMark } from '~/ui/status';
import { Head, Table } from '~/ui/table';
import table from '~/ui/table.module.css';
import type { DiscountCodeRowFragment } from './pricing.generated';
import styles from './pricing.module.css';
import { texts } from './texts';
import { conditions, used, worth } from './words';

const states: Record<DiscountCodeRowFragment['state'], { mark: StatusMark; words: string }> = {
  RUNNING: { mark: 'full', words: 'Running' },
  PLANNED: { mark: 'half', words: 'Planned' },
  ENDED: { mark: 'empty', words: 'Ended' },
};

interface CodeTableProps {
  codes: readonly DiscountCodeRowFragment[];
  stale: boolean;
  onEdit: (code: DiscountCodeRowFragment) => void;
  onEnd: (code: DiscountCodeRowFragment) => void;
}

/** Codes, what they are worth, and what came of them. */
export function CodeTable({ codes, stale, onEdit, onEnd }: CodeTableProps) {
  return (
    <Table label={texts.codes} stale={stale}>
      <thead>
        <tr>
          <Head>Code</Head>
          <Head>Worth</Head>
          <Head>State</Head>
          <Head number>Used</Head>
          <Head number>Taken off</Head>
          <Head number>Sold with it</Head>
          <Head hidden>Change</Head>
        </tr>
      </thead>
      <tbody>
        {codes.map((code) => (
          <tr key={code.id}>
            <th scope="row" className={styles.code}>
              {code.code}
            </th>
            <td data-label="Worth">
              {worth(code)}
              <span className={styles.note}>{conditions(code)}</span>
            </td>
            <td>
              <Status mark={states[code.state].mark}>{states[code.state].words}</Status>
            </td>
            <td className={`${table.number} ${table.nowrap}`} data-label="Used">
              {used(code)}
            </td>
            <td className={table.number} data-label="Taken off">
              {formatPrice(code.discounts)}
            </td>
            <td className={table.number} data-label="Sold with it">
              {formatPrice(code.sales)}
            </td>
            <td className={table.actions}>
              <Button small aria-label={`${texts.editCode} ${code.code}`} onClick={() => onEdit(code)}>
                {texts.editCode}
              </Button>
              {code.state !== 'ENDED' && (
                <Button small aria-label={`${texts.endCode} ${code.code}`} onClick={() => onEnd(code)}>
                  {texts.endCode}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
