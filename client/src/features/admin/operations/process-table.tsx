import { formatDuration, formatMoment } from '~/ui/format';
import { Status } from '~/ui/status';
import { Head, Table } from '~/ui/table';
import table from '~/ui/table.module.css';
import type { ProcessRowFragment } from './operations.generated';
import { texts } from './texts';

function indexOf({ isAlive, indexAgeSeconds: age }: ProcessRowFragment) {
  if (!isAlive || age === null) return '';
  return age === 0 ? 'Current' : `Outdated for ${formatDuration(age)}`;
}

function replicaOf({ isAlive, replica }: ProcessRowFragment) {
  if (!isAlive || !replica) return '';
  if (replica.lagSeconds === null) return 'Does not answer';
  return replica.lagSeconds < 1 ? 'Under a second' : formatDuration(replica.lagSeconds);
}

function State({ process, at }: { process: ProcessRowFragment; at: string }) {
  if (process.isAlive) return <Status mark="full">{process.isLeader ? 'Alive, keeps the schedule' : 'Alive'}</Status>;
  const silent = (Date.parse(at) - Date.parse(process.seenAt)) / 1000;
  return <Status mark="broken">{`Silent for ${formatDuration(silent)}`}</Status>;
}

interface ProcessTableProps {
  processes: readonly ProcessRowFragment[];
  /** When they were looked at, by the database's clock. */
  at: string;
}

/** Every process of the shop, on whatever host. */
export function ProcessTable({ processes, at }: ProcessTableProps) {
  return (
    <Table label={texts.processes}>
      <thead>
        <tr>
          <Head>Role</Head>
          <Head>State</Head>
          <Head>Host</Head>
          <Head>Process</Head>
          <Head>Version</Head>
          <Head>Since</Head>
          <Head>Index</Head>
          <Head>Replica lag</Head>
        </tr>
      </thead>
      <tbody>
        {processes.map((process) => (
          <tr key={process.id}>
            <th scope="row">{process.role}</th>
            <td>
              <State process={process} at={at} />
            </td>
            <td data-label="Host">{process.host}</td>
            <td data-label="Process">{process.pid}</td>
            <td data-label="Version">{process.version}</td>
            <td className={table.nowrap} data-label="Since">
              <time dateTime={process.startedAt}>{formatMoment(process.startedAt)}</time>
            </td>
            <td data-label="Index">{indexOf(process)}</td>
            <td data-label="Replica lag">{replicaOf(process)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
