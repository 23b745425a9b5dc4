import type { ReactNode } from 'react';
import { ChevronDownIcon } from './icons';
import styles from './table.module.css';

interface TableProps {
  /** What its rows are, for who cannot see the heading above it. */
  label: string;
  /** The rows are from before the last change of filters; the new ones are on their way. */
  stale?: boolean | undefined;
  children: ReactNode;
}

/**
 * A table of the back office: rows of 40 px, a header that stays in sight, a list of small lists on a phone.
 * Classes for cells are in `table.module.css`: `number`, `actions`, `thumbnail`, `tick`, `nowrap`; `data-label` on a
 * cell names it where the header is gone.
 */
export function Table({ label, stale, children }: TableProps) {
  return (
    <table className={`${styles.table} ${stale ? styles.stale : ''}`} aria-busy={stale || undefined}>
      <caption className="visually-hidden">{label}</caption>
      {children}
    </table>
  );
}

interface HeadProps {
  number?: boolean;
  /** For columns whose content needs no title, such as controls. */
  hidden?: boolean;
  /** How the rows are sorted by this column now, if it can be; a press turns it around. */
  sorted?: 'ascending' | 'descending' | 'none' | undefined;
  onSort?: (() => void) | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** The title of a column. */
export function Head({ number, hidden, sorted, onSort, className, children }: HeadProps) {
  const name = [number && styles.number, className].filter(Boolean).join(' ') || undefined;
  return (
    <th scope="col" aria-sort={onSort ? sorted : undefined} className={name}>
      {onSort ? (
        <button type="button" className={styles.sort} onClick={onSort}>
          {children}
          <ChevronDownIcon size={12} />
        </button>
      ) : (
        <span className={hidden ? 'visually-hidden' : undefined}>{children}</span>
      )}
    </th>
  );
}

/** The empty state of a table. */
export function NoRows({ children }: { children: ReactNode }) {
  return <p className={styles.none}>{children}</p>;
}

/** Search and filters in a row above their table. */
export function Filters({ children }: { children: ReactNode }) {
  return <div className={styles.filters}>{children}</div>;
}

/** Stands where the rows of a table will be. */
export function TableSkeleton({ rows = 8 }: { rows?: number }) {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} />
      ))}
    </div>
  );
}
