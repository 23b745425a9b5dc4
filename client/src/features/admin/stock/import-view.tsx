import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { QueryStatus } from '~/graphql/query-status';
import { toResult } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { ConfirmDialog } from '~/ui/dialog';
import { ErrorNote } from '~/ui/error-note';
import { formatNumber } from '~/ui/format';
import { Status, type StatusMark } from '~/ui/status';
import { toast } from '~/ui/toast';
import {
  type ImportWholeFragment,
  useCancelImportMutation,
  useOneImportQuery,
  useStartImportMutation,
} from './import.generated';
import styles from './import.module.css';
import { Changes, Problems, Summary } from './import-report';
import { texts } from './texts';
import { many, states } from './words';

const LOOK_AGAIN_MS = 500;

export const marks: Record<ImportWholeFragment['state'], StatusMark> = {
  CHECKING: 'broken',
  REFUSED: 'cross',
  READY: 'empty',
  RUNNING: 'half',
  DONE: 'full',
  DISCARDED: 'broken',
};

const isMoving = (state: ImportWholeFragment['state'] | undefined) => state === 'CHECKING' || state === 'RUNNING';

function Progress({ of }: { of: ImportWholeFragment }) {
  const words = of.state === 'CHECKING' ? 'Checking every row' : 'Working through the rows';
  return (
    <div className={styles.progress} role="status">
      <p>
        {words}
        {of.state === 'RUNNING' && `: ${formatNumber(of.rowsDone)} of ${formatNumber(of.rows)}`}
      </p>
      <progress aria-label={words} max={of.rows || 1} value={of.state === 'RUNNING' ? of.rowsDone : undefined} />
      <p className="small soft">You can leave this page. Until it is done, nothing has changed.</p>
    </div>
  );
}

function useDecision(id: string, onDecided: () => void) {
  const [startImport, { loading: starting }] = useStartImportMutation();
  const [cancelImport, { loading: discarding }] = useCancelImportMutation();
  const [refusal, setRefusal] = useState<string | null>(null);

  async function start() {
    const { data, message } = await toResult(startImport({ variables: { id } }));
    const result = data?.startImport;
    setRefusal(result?.__typename === 'Import' ? null : (result?.message ?? message ?? texts.startFailed));
    onDecided();
  }

  async function discard() {
    const { data, message } = await toResult(cancelImport({ variables: { id } }));
    const result = data?.cancelImport;
    setRefusal(result?.__typename === 'Import' ? null : (result?.message ?? message ?? texts.discardFailed));
    onDecided();
  }

  return { start, discard, starting, discarding, refusal };
}

interface DecisionProps {
  of: ImportWholeFragment;
  isPrimary: boolean;
  onDecided: () => void;
}

/** To have a file looked at no further, or an import undone that runs. */
function Stop({ of, onDecided }: Omit<DecisionProps, 'isPrimary'>) {
  const { discard, discarding, refusal } = useDecision(of.id, onDecided);
  const [asking, setAsking] = useState(false);

  return (
    <>
      {refusal && <ErrorNote>{refusal}</ErrorNote>}
      <div className={styles.actions}>
        <Button small working={discarding && texts.discarding} onClick={() => setAsking(true)}>
          {texts.stop}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        title={texts.stopTitle}
        text={texts.stopText}
        confirm={texts.stop}
        dismiss={texts.goOn}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          void discard();
        }}
      />
    </>
  );
}

/** To have it done, or not. */
function Decision({ of, isPrimary, onDecided }: DecisionProps) {
  const { start, discard, starting, discarding, refusal } = useDecision(of.id, onDecided);
  const [asking, setAsking] = useState(false);
  const isBarred = Boolean(of.summary?.newProducts) && !isPrimary;
  const isEmpty = of.summary?.changes === 0;

  return (
    <>
      {isBarred && (
        <p id="import-barred" className="small">
          {texts.primaryOnly}
        </p>
      )}
      {refusal && <ErrorNote>{refusal}</ErrorNote>}
      <div className={styles.actions}>
        {!isEmpty && (
          <Button
            small
            kind="primary"
            disabled={isBarred}
            aria-describedby={isBarred ? 'import-barred' : undefined}
            working={starting && texts.starting}
            onClick={() => void start()}
          >
            {texts.start}
          </Button>
        )}
        <Button small working={discarding && texts.discarding} onClick={() => setAsking(true)}>
          {texts.discard}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        title={texts.discardTitle}
        text={texts.discardText}
        confirm={texts.discard}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          void discard();
        }}
      />
    </>
  );
}

type State = ImportWholeFragment['state'];

/** Calls back with each change of state, after it has been rendered. */
function useChanges(state: State | undefined, onChange: (before: State | undefined, now: State) => void) {
  const lastState = useRef<State>(undefined);
  const changed = useEffectEvent(onChange);
  useEffect(() => {
    if (!state || state === lastState.current) return;
    const before = lastState.current;
    lastState.current = state;
    changed(before, state);
  }, [state]);
}

interface ImportViewProps {
  id: string;
  isPrimary: boolean;
  onChanged: () => void;
}

/** One import with its progress, from check to end. */
export function ImportView({ id, isPrimary, onChanged }: ImportViewProps) {
  const [moving, setMoving] = useState(true);
  const { data, error, startPolling, stopPolling } = useOneImportQuery({
    variables: { id },
    fetchPolicy: 'cache-and-network',
    pollInterval: moving ? LOOK_AGAIN_MS : 0,
  });
  const importView = data?.admin?.import;

  useChanges(importView?.state, (before, now) => {
    setMoving(isMoving(now));
    if (before === 'RUNNING' && now === 'DONE') toast.success(texts.importDone);
    if (before) onChanged();
  });
  if (!importView) return <QueryStatus error={error} waiting={texts.importWaiting} failed={texts.importFailed} />;

  const lookAgain = () => {
    stopPolling();
    startPolling(LOOK_AGAIN_MS);
  };

  return (
    <section className={styles.view} aria-label={importView.fileName}>
      <div className={styles.heading}>
        <h3>{importView.fileName}</h3>
        <Status mark={marks[importView.state]}>{states[importView.state]}</Status>
        <span className="small soft">{importView.rows > 0 && many(importView.rows, 'row')}</span>
      </div>
      {isMoving(importView.state) && (
        <>
          <Progress of={importView} />
          <Stop of={importView} onDecided={lookAgain} />
        </>
      )}
      {importView.state === 'REFUSED' && <Problems of={importView} />}
      {importView.summary && (importView.state === 'READY' || importView.state === 'DONE') && (
        <>
          <Summary summary={importView.summary} />
          {importView.state === 'READY' && <Decision of={importView} isPrimary={isPrimary} onDecided={lookAgain} />}
          <Changes of={importView} />
        </>
      )}
    </section>
  );
}
