import { JobTable } from '~/features/admin/jobs/job-table';
import { texts } from '~/features/admin/jobs/texts';
import { ListPanel } from '~/features/admin/list';
import { listPage } from '~/graphql/list-page';
import { useListQuery } from '~/ui/use-list-query';
import type { AdminViewer } from './admin-viewer';
import { useFailedJobsQuery } from './admin-jobs.generated';

const NOTE = 'jobs-primary-only';

/** Work in the background that was given up, for an admin to decide about. */
export default function FailedJobsScreen({ viewer }: { viewer: AdminViewer }) {
  const list = useListQuery({});
  const result = useFailedJobsQuery({ variables: { after: list.after }, fetchPolicy: 'cache-and-network' });
  const allowed = viewer.isPrimaryAdmin;

  return (
    <ListPanel
      title={texts.title}
      waiting={texts.waiting}
      failed={texts.failed}
      list={list}
      page={listPage(result, ({ admin }) => admin?.failedJobs)}
      above={
        <>
          <p className="small soft">{texts.about}</p>
          {!allowed && (
            <p id={NOTE} className="small">
              {texts.primaryOnly}
            </p>
          )}
        </>
      }
    >
      {(jobs, stale) => (
        <JobTable jobs={jobs} stale={stale} allowed={allowed} noteId={NOTE} onDecided={() => void result.refetch()} />
      )}
    </ListPanel>
  );
}
