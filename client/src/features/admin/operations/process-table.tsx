import { DataTable } from '~/ui/data-table';
import { formatDuration } from '~/ui/format';
import { Status } from '~/ui/status';
import { Moment } from '~/ui/time-zone';
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
    <DataTable
      label={texts.processes}
      rows={processes}
      empty={texts.noProcesses}
      columns={[
        { title: 'Role', isRowHeader: true, cell: ({ role }) => role },
        { title: 'State', cell: (process) => <State process={process} at={at} /> },
        { title: 'Host', label: true, cell: ({ host }) => host },
        { title: 'Process', label: true, cell: ({ pid }) => pid },
        { title: 'Version', label: true, cell: ({ version }) => version },
        {
          title: 'Since',
          nowrap: true,
          label: true,
          cell: ({ startedAt }) => <Moment at={startedAt} />,
        },
        { title: 'Index', label: true, cell: indexOf },
        { title: 'Replica lag', label: true, cell: replicaOf },
      ]}
    />
  );
}
