import { formatDuration, formatNumber } from '~/ui/format';
import { Head, Table } from '~/ui/table';
import table from '~/ui/table.module.css';
import type { QueueRowFragment } from './operations.generated';
import { queues as names, texts } from './texts';

/** Nothing is said of nothing. */
const counted = (jobs: number) => (jobs === 0 ? '' : formatNumber(jobs));

/** Every queue of background work, with jobs or without. */
export function QueueTable({ queues }: { queues: readonly QueueRowFragment[] }) {
  return (
    <Table label={texts.queues}>
      <thead>
        <tr>
          <Head>Queue</Head>
          <Head number>Running</Head>
          <Head number>Waiting</Head>
          <Head number>Oldest waits</Head>
          <Head number>Tried again</Head>
          <Head number>Given up</Head>
        </tr>
      </thead>
      <tbody>
        {queues.map(({ name, running, waiting, oldestSeconds, retrying, failed }) => (
          <tr key={name}>
            <th scope="row">{names[name] ?? name}</th>
            <td className={table.number} data-label="Running">
              {counted(running)}
            </td>
            <td className={table.number} data-label="Waiting">
              {formatNumber(waiting)}
            </td>
            <td className={table.number} data-label="Oldest waits">
              {oldestSeconds === null ? '' : formatDuration(oldestSeconds)}
            </td>
            <td className={table.number} data-label="Tried again">
              {counted(retrying)}
            </td>
            <td className={table.number} data-label="Given up">
              {counted(failed)}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
