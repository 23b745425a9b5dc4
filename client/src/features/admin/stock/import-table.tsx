import { type Column, DataTable } from '~/ui/data-table';
import { formatNumber } from '~/ui/format';
import { Link } from '~/ui/link';
import { Status } from '~/ui/status';
import { Moment } from '~/ui/time-zone';
import type { ImportBriefFragment } from './import.generated';
import styles from './import.module.css';
import { marks } from './import-view';
import { texts } from './texts';
import { many, states } from './words';

function Came({ of }: { of: ImportBriefFragment }) {
  if (of.state === 'REFUSED') return many(of.problemCount, 'problem');
  return of.summary ? many(of.summary.changes, 'change') : null;
}

const columns: readonly Column<ImportBriefFragment>[] = [
  {
    title: 'File',
    isRowHeader: true,
    cell: ({ id, fileName }) => (
      <Link to={`/admin/import?file=${id}`} className={`link ${styles.value}`}>
        {fileName}
      </Link>
    ),
  },
  { title: 'When', nowrap: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'Who', cell: ({ actor }) => actor },
  { title: 'Rows', kind: 'number', label: true, cell: ({ rows }) => formatNumber(rows) },
  { title: 'State', cell: ({ state }) => <Status mark={marks[state]}>{states[state]}</Status> },
  { title: 'What came of it', cell: (file) => <Came of={file} /> },
];

/** Files that were brought before, newest first. */
export function ImportTable({ imports, stale }: { imports: readonly ImportBriefFragment[]; stale: boolean }) {
  return <DataTable label="Imports" rows={imports} stale={stale} empty={texts.noImports} columns={columns} />;
}
