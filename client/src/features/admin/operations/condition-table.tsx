import { DataTable } from '~/ui/data-table';
import { Status } from '~/ui/status';
import { useTimeZone } from '~/ui/time-zone';
import { conditionsOf } from './conditions';
import type { OperationsStateFragment } from './operations.generated';
import { texts } from './texts';

/** The shop at a glance: each part and how it is. */
export function ConditionTable({ state }: { state: OperationsStateFragment }) {
  return (
    <DataTable
      label={texts.title}
      rows={conditionsOf(state, useTimeZone())}
      keyOf={({ name }) => name}
      columns={[
        { title: 'Part', isRowHeader: true, cell: ({ name }) => name },
        { title: 'How it is', cell: ({ mark, text }) => <Status mark={mark}>{text}</Status> },
      ]}
    />
  );
}
