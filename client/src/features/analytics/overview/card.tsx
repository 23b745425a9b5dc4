import { type ReactNode, useId, useState } from 'react';
import { QueryStatus } from '~/graphql/query-status';
import { type Column, DataTable } from '~/ui/data-table';
import styles from './overview.module.css';
import { texts } from './texts';

export interface CardTable {
  heads: readonly string[];
  /** The first cell of each names its row; the others are figures. */
  rows: readonly (readonly string[])[];
}

interface CardProps {
  title: string;
  /** The time it is about, where it is not the page's. */
  period?: string;
  error?: unknown;
  /** Nothing while it is on its way. */
  table: CardTable | null | undefined;
  /** What the picture shows, in words. */
  sentence?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}

function Figures({ title, table: { heads, rows } }: { title: string; table: CardTable }) {
  const columns = heads.map((head, place): Column<readonly string[]> => {
    const cell = (row: readonly string[]) => row[place];
    return place === 0 ? { title: head, isRowHeader: true, cell } : { title: head, kind: 'number', label: true, cell };
  });
  return (
    <div className={styles.figures}>
      <DataTable label={title} rows={rows} keyOf={([name = '']) => name} columns={columns} />
    </div>
  );
}

/** One chart of the overview: its picture or its table, and a sentence that says what it shows. */
export function Card({ title, period, error, table, sentence, className, children }: CardProps) {
  const [isTable, setTable] = useState(false);
  const heading = useId();
  return (
    <section className={`${styles.card} ${className ?? ''}`} aria-labelledby={heading}>
      <div className={styles.cardHead}>
        <h2 id={heading}>{title}</h2>
        {period && <span className="small soft">{period}</span>}
        {table && (
          <button
            type="button"
            className={`link ${styles.toggle}`}
            aria-pressed={isTable}
            aria-label={texts.tableOf(title)}
            onClick={() => setTable(!isTable)}
          >
            {texts.table}
          </button>
        )}
      </div>
      {!table && (
        <div className={styles.place}>
          <QueryStatus error={error} waiting={texts.counting} failed={texts.failed} />
        </div>
      )}
      {table && (isTable ? <Figures title={title} table={table} /> : children)}
      {table && sentence && <p className={styles.sentence}>{sentence}</p>}
    </section>
  );
}
