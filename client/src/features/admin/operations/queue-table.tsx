import { type Column, DataTable } from '~/ui/data-table';
import { formatDuration, formatNumber } from '~/ui/format';
import type { QueueRowFragment } from './operations.generated';
import { queues as names, texts } from './texts';

/** Nothing is said of nothing. */
const counted = (jobs: number) => (jobs === 0 ? '' : formatNumber(jobs));

const columns: readonly Column<QueueRowFragment>[] = [
  { title: 'Queue', isRowHeader: true, cell: ({ name }) => names[name] ?? name },
  { title: 'Running', kind: 'number', label: true, cell: ({ running }) => counted(running) },
  { title: 'Waiting', kind: 'number', label: true, cell: ({ waiting }) => formatNumber(waiting) },
  {
    title: 'Oldest waits',
    kind: 'number',
    label: true,
    cell: ({ oldestSeconds }) => (oldestSeconds === null ? '' : formatDuration(oldestSeconds)),
  },
  { title: 'Tried again', kind: 'number', label: true, cell: ({ retrying }) => counted(retrying) },
  { title: 'Given up', kind: 'number', label: true, cell: ({ failed }) => counted(failed) },
];

/** Every queue of background work, with jobs or without. */
export function QueueTable({ queues }: { queues: readonly QueueRowFragment[] }) {
  return <DataTable label={texts.queues} rows={queues} keyOf={({ name }) => name} columns={columns} />;
}
