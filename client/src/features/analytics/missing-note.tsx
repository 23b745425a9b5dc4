import { useEffect } from 'react';
import { AlertIcon } from '~/ui/icons';
import { useMissingFactsQuery } from './missing.generated';
import styles from './missing-note.module.css';

const AGAIN_MS = 5_000;

/** What the figures do not show yet while they are counted anew; nothing when they show everything. */
export function MissingNote() {
  const { data, startPolling, stopPolling } = useMissingFactsQuery({ fetchPolicy: 'no-cache' });
  const missing = data?.admin?.analytics.missing;
  useEffect(() => {
    if (missing) startPolling(AGAIN_MS);
    return stopPolling;
  }, [missing, startPolling, stopPolling]);
  if (!missing) return null;
  return (
    <p className={styles.note} role="status">
      <AlertIcon size={16} />
      <span>{missing}</span>
    </p>
  );
}
