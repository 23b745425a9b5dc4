import { Fragment, type ReactNode } from 'react';
import { Checkbox } from './choice';
import { Head, NoRows, Table } from './table';
import styles from './table.module.css';

/** One column of a table: its title and what its cells show. */
export interface Column<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  /** Its cells are the headers of their rows. */
  isRowHeader?: boolean;
  /** Figures are aligned at their end; controls and thumbnails hide their title. */
  kind?: 'number' | 'controls' | 'thumbnail';
  nowrap?: boolean;
  /** Names the value on a phone, where titles are hidden: by the title, or by a text of its own. */
  label?: true | string;
  className?: string | undefined | ((row: Row) => string | undefined);
  headClassName?: string | undefined;
  /** Sort orders of the list that this column stands for; the first press chooses `first`. */
  sorts?: { ascending?: string; descending?: string; first: string };
}

export interface Sorting {
  by: string;
  onSort: (by: string) => void;
}

/** Which rows are ticked, and what a press on a tick does. */
export interface Selection<Row> {
  has: (id: string) => boolean;
  toggle: (id: string) => void;
  toggleAll: () => void;
  /** What a row is called in the name of its tick. */
  nameOf: (row: Row) => string;
}

type Keyed<Row> = Row extends { id: string } ? { keyOf?: (row: Row) => string } : { keyOf: (row: Row) => string };

type DataTableProps<Row> = Keyed<Row> & {
  /** What its rows are, for who cannot see the heading above it. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Shown instead of a table without rows. */
  empty?: string;
  /** The rows are from before the last change of filters; the new ones are on their way. */
  stale?: boolean | undefined;
  sorting?: Sorting | undefined;
  selection?: Selection<Row> | undefined;
  /** Shown across all columns below a row. */
  detail?: (row: Row) => ReactNode;
  rowClass?: (row: Row) => string | undefined;
};

const ofId = (row: unknown): string => (row as { id: string }).id;
const kindClass = { number: styles.number, controls: styles.actions, thumbnail: styles.thumbnail } as const;
const classes = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ') || undefined;

function Title<Row>({ column, sorting }: { column: Column<Row>; sorting: Sorting | undefined }) {
  const { title, kind, headClassName, sorts } = column;
  const head = {
    number: kind === 'number',
    hidden: kind === 'controls' || kind === 'thumbnail',
    className: headClassName,
  };
  if (!sorts || !sorting) return <Head {...head}>{title}</Head>;
  const { ascending, descending, first } = sorts;
  const other = first === ascending ? descending : ascending;
  return (
    <Head
      {...head}
      sorted={sorting.by === ascending ? 'ascending' : sorting.by === descending ? 'descending' : 'none'}
      onSort={() => sorting.onSort(sorting.by === first && other ? other : first)}
    >
      {title}
    </Head>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { title, cell, isRowHeader, kind, nowrap, label, className } = column;
  const name = classes(
    kind && kindClass[kind],
    nowrap && styles.nowrap,
    typeof className === 'function' ? className(row) : className,
  );
  if (isRowHeader) {
    return (
      <th scope="row" className={name}>
        {cell(row)}
      </th>
    );
  }
  return (
    <td className={name} data-label={label === true ? title : label}>
      {cell(row)}
    </td>
  );
}

function Tick({ label, checked, onToggle }: { label: string; checked: boolean; onToggle: () => void }) {
  return (
    <Checkbox aria-label={label} checked={checked} onChange={onToggle}>
      {null}
    </Checkbox>
  );
}

/** A table from its columns and rows, or the words for none. */
export function DataTable<Row>(table: DataTableProps<Row>) {
  const { label, columns, rows, empty, stale, sorting, selection, detail, rowClass, keyOf = ofId } = table;
  if (rows.length === 0 && empty) return <NoRows>{empty}</NoRows>;
  return (
    <Table label={label} stale={stale}>
      <thead>
        <tr>
          {selection && (
            <th scope="col" className={styles.tick}>
              <Tick
                label="Select all on this page"
                checked={rows.every((row) => selection.has(keyOf(row)))}
                onToggle={selection.toggleAll}
              />
            </th>
          )}
          {columns.map((column) => (
            <Title key={column.title} column={column} sorting={sorting} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const key = keyOf(row);
          const below = detail?.(row);
          return (
            <Fragment key={key}>
              <tr className={rowClass?.(row)} aria-selected={selection?.has(key)}>
                {selection && (
                  <td className={styles.tick}>
                    <Tick
                      label={`Select ${selection.nameOf(row)}`}
                      checked={selection.has(key)}
                      onToggle={() => selection.toggle(key)}
                    />
                  </td>
                )}
                {columns.map((column) => (
                  <Cell key={column.title} column={column} row={row} />
                ))}
              </tr>
              {below && (
                <tr>
                  <td colSpan={columns.length + (selection ? 1 : 0)}>{below}</td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </Table>
  );
}
