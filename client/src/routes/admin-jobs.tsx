import { JobTable } from '~/features/admin/jobs/job-table';
import { texts } from '~/features/admin/jobs/texts';
import { Panel } from '~/features/admin/panel';
import { serverWords } from '~/graphql/settled';
import { Pager } from '~/ui/pager';
import { NoRows } from '~/ui/table';
import { useListQuery } from '~/ui/use-list-query';
import type { AdminViewer } from './admin-viewer';
import { useFailedJobsQuery } from './admin-jobs.generated';

const PAGE = 50;
const NOTE = 'jobs-primary-only';

/** Work in the background that was given up, for an admin to decide about. */
export default function FailedJobsRoom({ viewer }: { viewer: AdminViewer }) {
  const list = useListQuery({});
  const { data, previousData, error, loading, refetch } = useFailedJobsQuery({
    variables: { after: list.after },
    fetchPolicy: 'cache-and-network',
  });
  const jobs = (data ?? (error ? undefined : previousData))?.admin?.failedJobs;
  const allowed = viewer.isPrimaryAdmin;

  return (
    <Panel title={texts.title} waiting={texts.waiting} failed={error ? (serverWords(error) ?? texts.failed) : false}>
      {jobs && (
        <>
          <p className="small soft">{texts.about}</p>
          {!allowed && (
            <p id={NOTE} className="small">
              {texts.primaryOnly}
            </p>
          )}
          <div>
            {jobs.nodes.length > 0 ? (
              <JobTable
                jobs={jobs.nodes}
                stale={loading && !data}
                allowed={allowed}
                noteId={NOTE}
                onDecided={() => void refetch()}
              />
            ) : (
              <NoRows>{texts.none}</NoRows>
            )}
            <Pager list={list} size={PAGE} shown={jobs.nodes.length} total={jobs.totalCount} pageInfo={jobs.pageInfo} />
          </div>
        </>
      )}
    </Panel>
  );
}
