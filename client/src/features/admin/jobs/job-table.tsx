import { useState } from 'react';
import { kinds } from '~/features/admin/job-kinds';
import { toResult } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { DataTable } from '~/ui/data-table';
import { ConfirmDialog } from '~/ui/dialog';
import { Moment } from '~/ui/time-zone';
import { toast } from '~/ui/toast';
import { type FailedJobRowFragment, useDeleteJobMutation, useRetryJobMutation } from './jobs.generated';
import { texts } from './texts';

interface DecisionProps {
  job: FailedJobRowFragment;
  /** Whether the reader may decide; the words at `noteId` say why not. */
  allowed: boolean;
  noteId: string;
  onDecided: () => void;
}

/** To start a job again, or to drop it for good. */
function Decision({ job, allowed, noteId, onDecided }: DecisionProps) {
  const [retryJob, { loading: retrying }] = useRetryJobMutation();
  const [deleteJob, { loading: dropping }] = useDeleteJobMutation();
  const [asking, setAsking] = useState(false);
  const name = `${kinds[job.kind] ?? job.kind} ${job.reference}`.trim();
  const why = allowed ? undefined : noteId;

  async function retry() {
    const { data, message } = await toResult(retryJob({ variables: { id: job.id } }));
    if (data) toast.success(texts.retried);
    else toast.error(message ?? texts.retryFailed);
    onDecided();
  }

  async function drop() {
    setAsking(false);
    const { data, message } = await toResult(deleteJob({ variables: { id: job.id } }));
    if (data) toast.success(texts.dropped);
    else toast.error(message ?? texts.dropFailed);
    onDecided();
  }

  return (
    <>
      <Button
        small
        disabled={!allowed}
        aria-describedby={why}
        aria-label={`${texts.retry}: ${name}`}
        working={retrying && texts.retrying}
        onClick={() => void retry()}
      >
        {texts.retry}
      </Button>
      <Button
        small
        disabled={!allowed}
        aria-describedby={why}
        aria-label={`${texts.drop}: ${name}`}
        working={dropping && texts.dropping}
        onClick={() => setAsking(true)}
      >
        {texts.drop}
      </Button>
      <ConfirmDialog
        open={asking}
        title={texts.dropTitle}
        text={`${name}. ${texts.dropText}`}
        confirm={texts.drop}
        onClose={() => setAsking(false)}
        onConfirm={() => void drop()}
      />
    </>
  );
}

interface JobTableProps extends Omit<DecisionProps, 'job'> {
  jobs: readonly FailedJobRowFragment[];
  stale: boolean;
}

/** Jobs that are no longer tried by themselves, newest first. */
export function JobTable({ jobs, stale, ...decision }: JobTableProps) {
  return (
    <DataTable
      label={texts.title}
      rows={jobs}
      stale={stale}
      empty={texts.none}
      columns={[
        { title: 'What', isRowHeader: true, cell: ({ kind }) => kinds[kind] ?? kind },
        { title: 'About', label: true, cell: ({ reference }) => reference },
        {
          title: 'Since',
          nowrap: true,
          label: true,
          cell: ({ createdAt }) => <Moment at={createdAt} />,
        },
        {
          title: 'Given up',
          nowrap: true,
          label: true,
          cell: ({ failedAt }) => <Moment at={failedAt} />,
        },
        { title: 'Attempts', kind: 'number', label: true, cell: ({ attempts }) => attempts },
        { title: 'Error', label: true, cell: ({ error }) => error },
        { title: 'Decide', cell: (job) => <Decision job={job} {...decision} /> },
      ]}
    />
  );
}
