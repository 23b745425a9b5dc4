import { DataTable } from '~/ui/data-table';
import { Link } from '~/ui/link';
import { formatPrice } from '~/ui/price';
import { Moment } from '~/ui/time-zone';
import type { LogEntryFragment } from './log.generated';
import styles from './log.module.css';
import { texts } from './texts';

type Change = LogEntryFragment['changes'][number];

/** Where the changed thing is looked after; kinds without a page of their own have none. */
const pages: Partial<Record<string, (id: string) => string>> = {
  product: (id) => `/admin/products/${id}`,
  order: (id) => `/admin/orders/${id}`,
  user: (id) => `/admin/customers/${id}`,
  settings: () => '/admin/settings',
};

function Value({ children: value, isMoney }: { children: string | null; isMoney: boolean }) {
  if (value === null || value === '') return <span className="soft">{texts.empty}</span>;
  return isMoney && /^-?\d+\.\d\d$/.test(value) ? formatPrice(value) : value;
}

function Changes({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return null;
  return (
    <ul className={styles.changes}>
      {changes.map(({ name, before, after, isMoney }) => (
        <li key={name}>
          <span className="soft">{name}: </span>
          {before !== null && (
            <del>
              <Value isMoney={isMoney}>{before}</Value>
            </del>
          )}
          {before !== null && <span aria-hidden="true"> → </span>}
          <ins>
            <Value isMoney={isMoney}>{after}</Value>
          </ins>
        </li>
      ))}
    </ul>
  );
}

function Subject({ entry: { kind, subjectId, subject } }: { entry: LogEntryFragment }) {
  return (
    <>
      <span className="soft">{kind} </span>
      {pages[kind] ? (
        <Link to={pages[kind](subjectId)} className="link">
          {subject}
        </Link>
      ) : (
        subject
      )}
    </>
  );
}

interface LogTableProps {
  entries: readonly LogEntryFragment[];
  stale: boolean;
  empty: string;
}

/** Who changed what, newest first. */
export function LogTable({ entries, stale, empty }: LogTableProps) {
  return (
    <DataTable
      label={texts.title}
      rows={entries}
      stale={stale}
      empty={empty}
      columns={[
        { title: 'When', nowrap: true, cell: ({ at }) => <Moment at={at} /> },
        { title: 'Who', className: styles.name, cell: ({ actor }) => actor },
        { title: 'What', isRowHeader: true, cell: ({ action }) => action },
        { title: 'Which', className: styles.name, cell: (entry) => <Subject entry={entry} /> },
        {
          title: 'Before and after',
          headClassName: styles.wide,
          cell: ({ changes }) => <Changes changes={changes} />,
        },
      ]}
    />
  );
}
