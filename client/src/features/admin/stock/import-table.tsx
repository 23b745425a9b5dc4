import { formatMoment, formatNumber } from '~/ui/format';
import { Link } from '~/ui/link';
import { Status } from '~/ui/status';
import { Head, NoRows, Table } from '~/ui/table';
import table from '~/ui/table.module.css';
import type { ImportBriefFragment } from './import.generated';
import styles from './import.module.css';
import { marks } from './import-view';
import { texts } from './texts';
import { many, states } from './words';

function Came({ of }: { of: ImportBriefFragment }) {
  if (of.state === 'REFUSED') return many(of.problemCount, 'problem');
  return of.summary ? many(of.summary.changes, 'change') : null;
}

/** Files that were brought before, newest first. */
export function ImportTable({ imports, stale }: { imports: readonly ImportBriefFragment[]; stale: boolean }) {
  if (imports.length === 0) return <NoRows>{texts.noImports}</NoRows>;
  return (
    <Table label="Imports" stale={stale}>
      <thead>
        <tr>
          <Head>File</Head>
          <Head>When</Head>
          <Head>Who</Head>
          <Head number>Rows</Head>
          <Head>State</Head>
          <Head>What came of it</Head>
        </tr>
      </thead>
      <tbody>
        {imports.map((each) => (
          <tr key={each.id}>
            <th scope="row">
              <Link to={`/admin/import?file=${each.id}`} className={`link ${styles.value}`}>
                {each.fileName}
              </Link>
            </th>
            <td className={table.nowrap}>
              <time dateTime={each.createdAt}>{formatMoment(each.createdAt)}</time>
            </td>
            <td>{each.actor}</td>
            <td className={table.number} data-label="Rows">
              {formatNumber(each.rows)}
            </td>
            <td>
              <Status mark={marks[each.state]}>{states[each.state]}</Status>
            </td>
            <td>
              <Came of={each} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
