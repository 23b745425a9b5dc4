import { formatMomentIn } from '~/ui/format';
import { Link } from '~/ui/link';
import { formatPrice } from '~/ui/price';
import { Head, Table } from '~/ui/table';
import table from '~/ui/table.module.css';
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

interface LogTableProps {
  entries: readonly LogEntryFragment[];
  /** Whose clock times are of. */
  timeZone: string;
  stale: boolean;
}

/** Who changed what, newest first. */
export function LogTable({ entries, timeZone, stale }: LogTableProps) {
  return (
    <Table label={texts.title} stale={stale}>
      <thead>
        <tr>
          <Head>When</Head>
          <Head>Who</Head>
          <Head>What</Head>
          <Head>Which</Head>
          <Head className={styles.wide}>Before and after</Head>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ id, at, actor, action, kind, subjectId, subject, changes }) => (
          <tr key={id}>
            <td className={table.nowrap}>
              <time dateTime={at}>{formatMomentIn(timeZone, at)}</time>
            </td>
            <td>{actor}</td>
            <th scope="row">{action}</th>
            <td>
              <span className="soft">{kind} </span>
              {pages[kind] ? (
                <Link to={pages[kind](subjectId)} className="link">
                  {subject}
                </Link>
              ) : (
                subject
              )}
            </td>
            <td>
              <Changes changes={changes} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
