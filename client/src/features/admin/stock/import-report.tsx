import { type Column, DataTable } from '~/ui/data-table';
import { formatNumber } from '~/ui/format';
import type { ImportWholeFragment } from './import.generated';
import styles from './import.module.css';
import { many } from './words';

type Summary = NonNullable<ImportWholeFragment['summary']>;

/** What an import would change, or has changed, in numbers; what is none is left out. */
function wordsOf(summary: Summary): string[] {
  const { newProducts, hiddenProducts, newVariants, changedProducts, changedPrices, changedStock } = summary;
  return [
    newProducts > 0 && many(newProducts, 'new product'),
    hiddenProducts > 0 && `${many(hiddenProducts, 'product')} without a picture, kept off sale until restored`,
    newVariants > 0 && many(newVariants, 'new variant'),
    changedProducts > 0 && `${many(changedProducts, 'product')} edited`,
    changedPrices > 0 && `${many(changedPrices, 'price')} changed`,
    changedStock > 0 && `stock of ${many(changedStock, 'variant')} changed`,
    summary.piecesAdded > 0 && `${many(summary.piecesAdded, 'piece')} more`,
    summary.piecesRemoved > 0 && `${many(summary.piecesRemoved, 'piece')} fewer`,
  ].filter((words) => words !== false);
}

export function Summary({ summary }: { summary: Summary }) {
  const words = wordsOf(summary);
  return (
    <ul className={styles.summary}>
      {words.length === 0 && <li>Nothing changes: the shop is as the file says.</li>}
      {words.map((each) => (
        <li key={each}>{each}</li>
      ))}
      {summary.unchangedRows > 0 && words.length > 0 && (
        <li className="soft">{many(summary.unchangedRows, 'row')} unchanged</li>
      )}
    </ul>
  );
}

const problemColumns: readonly Column<ImportWholeFragment['problems'][number]>[] = [
  {
    title: 'Cell',
    isRowHeader: true,
    nowrap: true,
    cell: ({ cell, row }) => (
      <>
        {cell}
        <span className="visually-hidden">, row {row}</span>
      </>
    ),
  },
  { title: 'Column', label: true, cell: ({ column }) => column },
  { title: 'What stands there', label: 'Value', className: styles.value, cell: ({ value }) => value },
  { title: 'What is wrong', cell: ({ message }) => message },
];

const changeColumns: readonly Column<ImportWholeFragment['changes'][number]>[] = [
  { title: 'Row', kind: 'number', label: true, headClassName: styles.row, cell: ({ row }) => formatNumber(row) },
  { title: 'Product', isRowHeader: true, cell: ({ name }) => name },
  { title: 'SKU', className: styles.sku, cell: ({ sku }) => sku },
  { title: 'Column', label: true, cell: ({ column }) => column },
  {
    title: 'Now',
    label: true,
    className: styles.value,
    cell: ({ before }) => before ?? <span className="soft">new</span>,
  },
  {
    title: 'Then',
    label: true,
    className: `${styles.value} ${styles.then}`,
    cell: ({ after }) => after || <span className="soft">nothing</span>,
  },
];

/** Every problem with its cell, in the order of the file. */
export function Problems({ of }: { of: ImportWholeFragment }) {
  return (
    <>
      <p>
        <strong>{many(of.problemCount, 'problem')}.</strong> Nothing has been changed. Correct the file and bring it
        again.
      </p>
      <DataTable
        label="Problems"
        rows={of.problems}
        keyOf={({ cell, message }) => `${cell}${message}`}
        columns={problemColumns}
      />
      {of.problemCount > of.problems.length && (
        <p className="small soft">And {formatNumber(of.problemCount - of.problems.length)} more.</p>
      )}
    </>
  );
}

/** What changes, cell by cell. */
export function Changes({ of }: { of: ImportWholeFragment }) {
  const more = (of.summary?.changes ?? 0) - of.changes.length;
  if (of.changes.length === 0) return null;
  return (
    <>
      <div className={styles.changes}>
        <DataTable
          label="Changes"
          rows={of.changes}
          keyOf={({ row, column }) => `${row}${column}`}
          columns={changeColumns}
        />
      </div>
      {more > 0 && <p className="small soft">And {many(more, 'change')} more.</p>}
    </>
  );
}
