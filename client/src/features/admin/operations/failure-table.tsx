import { kinds } from '~/features/admin/job-kinds';
import { type Column, DataTable } from '~/ui/data-table';
import { Moment } from '~/ui/time-zone';
import type { FailureRowFragment } from './operations.generated';
import { texts } from './texts';

const columns: readonly Column<FailureRowFragment>[] = [
  { title: 'What', isRowHeader: true, cell: ({ kind }) => kinds[kind] ?? kind },
  { title: 'About', label: true, cell: ({ reference }) => reference },
  {
    title: 'Given up',
    nowrap: true,
    label: true,
    cell: ({ failedAt }) => <Moment at={failedAt} />,
  },
  { title: 'Attempts', kind: 'number', label: true, cell: ({ attempts }) => attempts },
  { title: 'Error', label: true, cell: ({ error }) => error },
];

/** What was given up last, newest first. */
export function FailureTable({ failures }: { failures: readonly FailureRowFragment[] }) {
  return <DataTable label={texts.failures} rows={failures} empty={texts.noFailures} columns={columns} />;
}
