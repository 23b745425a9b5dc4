import { formatNumber } from '~/ui/format';
import { Head, Table } from '~/ui/table';
import table from '~/ui/table.module.css';
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

/** Every problem with its cell, in the order of the file. */
export function Problems({ of }: { of: ImportWholeFragment }) {
  return (
    <>
      <p>
        <strong>{many(of.problemCount, 'problem')}.</strong> Nothing has been changed. Correct the file and bring it
        again.
      </p>
      <Table label="Problems">
        <thead>
          <tr>
            <Head>Cell</Head>
            <Head>Column</Head>
            <Head>What stands there</Head>
            <Head>What is wrong</Head>
          </tr>
        </thead>
        <tbody>
          {of.problems.map(({ row, cell, column, value, message }) => (
            <tr key={`${cell}${message}`}>
              <th scope="row" className={table.nowrap}>
                {cell}
                <span className="visually-hidden">, row {row}</span>
              </th>
              <td data-label="Column">{column}</td>
              <td data-label="Value" className={styles.value}>
                {value}
              </td>
              <td>{message}</td>
            </tr>
          ))}
        </tbody>
      </Table>
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
        <Table label="Changes">
          <thead>
            <tr>
              <Head number className={styles.row}>
                Row
              </Head>
              <Head>Product</Head>
              <Head>SKU</Head>
              <Head>Column</Head>
              <Head>Now</Head>
              <Head>Then</Head>
            </tr>
          </thead>
          <tbody>
            {of.changes.map(({ row, sku, name, column, before, after }) => (
              <tr key={`${row}${column}`}>
                <td className={table.number} data-label="Row">
                  {formatNumber(row)}
                </td>
                <th scope="row">{name}</th>
                <td className={styles.sku}>{sku}</td>
                <td data-label="Column">{column}</td>
                <td data-label="Now" className={styles.value}>
                  {before ?? <span className="soft">new</span>}
                </td>
                <td data-label="Then" className={`${styles.value} ${styles.then}`}>
                  {after || <span className="soft">nothing</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      </div>
      {more > 0 && <p className="small soft">And {many(more, 'change')} more.</p>}
    </>
  );
}
