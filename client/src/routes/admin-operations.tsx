import { ConditionTable } from '~/features/admin/operations/condition-table';
import { FailureTable } from '~/features/admin/operations/failure-table';
import type { OperationsStateFragment } from '~/features/admin/operations/operations.generated';
import { ProcessTable } from '~/features/admin/operations/process-table';
import { QueueTable } from '~/features/admin/operations/queue-table';
import { texts } from '~/features/admin/operations/texts';
import { Panel, PanelFailure } from '~/features/admin/panel';
import { failure } from '~/graphql/list-page';
import { formatSecondIn } from '~/ui/format';
import { Link } from '~/ui/link';
import { Moment } from '~/ui/time-zone';
import { useAdminOperationsQuery } from './admin-operations.generated';
import styles from './admin-operations.module.css';
import type { AdminViewer } from './admin-viewer';

const LOOK_AGAIN_MS = 10_000;

function Parts({ state }: { state: OperationsStateFragment }) {
  return (
    <div className={styles.parts}>
      <ConditionTable state={state} />
      <section className={styles.part}>
        <h3>{texts.processes}</h3>
        <ProcessTable processes={state.processes} at={state.at} />
      </section>
      <section className={styles.part}>
        <h3>{texts.queues}</h3>
        <QueueTable queues={state.queues} />
      </section>
      <section className={styles.part}>
        <div className={styles.head}>
          <h3>{texts.failures}</h3>
          <Link to="/admin/jobs" className="link small">
            {texts.allFailures}
          </Link>
        </div>
        <FailureTable failures={state.failures} />
      </section>
    </div>
  );
}

function OwnerView() {
  const { data, previousData, error, refetch } = useAdminOperationsQuery({
    fetchPolicy: 'cache-and-network',
    pollInterval: LOOK_AGAIN_MS,
  });
  const state = (data ?? previousData)?.admin?.operations;

  return (
    <Panel
      title={texts.title}
      aside={
        state && (
          <p className="small soft">
            As of <Moment at={state.at} format={formatSecondIn} />
          </p>
        )
      }
      waiting={texts.waiting}
      failed={failure(error, texts.failed)}
      onRetry={() => void refetch()}
    >
      {state && (
        <>
          <p className="small soft">{texts.about}</p>
          <Parts state={state} />
        </>
      )}
    </Panel>
  );
}

/** How the shop runs: processes, background work, backups, and what failed last. */
export default function OperationsScreen({ viewer }: { viewer: AdminViewer }) {
  return viewer.isPrimaryAdmin ? <OwnerView /> : <PanelFailure>{texts.ownerOnly}</PanelFailure>;
}
