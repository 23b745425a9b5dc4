import { Button } from '~/ui/button';
import { DataTable } from '~/ui/data-table';
import { formatPrice } from '~/ui/price';
import { Status, type StatusMark } from '~/ui/status';
import { useTimeZone } from '~/ui/time-zone';
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
  empty: string;
  onEdit: (code: DiscountCodeRowFragment) => void;
  onEnd: (code: DiscountCodeRowFragment) => void;
}

/** Codes, what they are worth, and what came of them. */
export function CodeTable({ codes, stale, empty, onEdit, onEnd }: CodeTableProps) {
  const timeZone = useTimeZone();
  return (
    <DataTable
      label={texts.codes}
      rows={codes}
      stale={stale}
      empty={empty}
      columns={[
        { title: 'Code', isRowHeader: true, className: styles.code, cell: ({ code }) => code },
        {
          title: 'Worth',
          label: true,
          cell: (code) => (
            <>
              {worth(code)}
              <span className={styles.note}>{conditions(code, timeZone)}</span>
            </>
          ),
        },
        { title: 'State', cell: ({ state }) => <Status mark={states[state].mark}>{states[state].words}</Status> },
        { title: 'Used', kind: 'number', nowrap: true, label: true, cell: used },
        { title: 'Taken off', kind: 'number', label: true, cell: ({ discounts }) => formatPrice(discounts) },
        { title: 'Sold with it', kind: 'number', label: true, cell: ({ sales }) => formatPrice(sales) },
        {
          title: 'Change',
          kind: 'controls',
          cell: (code) => (
            <>
              <Button small aria-label={`${texts.editCode} ${code.code}`} onClick={() => onEdit(code)}>
                {texts.editCode}
              </Button>
              {code.state !== 'ENDED' && (
                <Button small aria-label={`${texts.endCode} ${code.code}`} onClick={() => onEnd(code)}>
                  {texts.endCode}
                </Button>
              )}
            </>
          ),
        },
      ]}
    />
  );
}
