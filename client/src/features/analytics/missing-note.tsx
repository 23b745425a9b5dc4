import { useEffect } from 'react';
import { formatSecondIn } from '~/ui/format';
import { AlertIcon } from '~/ui/icons';
import { useTimeZone } from '~/ui/time-zone';
import { type MissingFactsQuery, useMissingFactsQuery } from './missing.generated';
import styles from './missing-note.module.css';
import { texts } from './texts';

const AGAIN_MS = 5_000;
/** Figures are usually a second behind; from here on that is worth a word. */
const NOTED_LAG_SECONDS = 5;

/** What the figures do not show yet, because they are counted anew or behind; nothing when they show everything. */
export function MissingNote() {
  const { data, startPolling, stopPolling } = useMissingFactsQuery({ fetchPolicy: 'no-cache' });
  const sentences = missingSentences(data, useTimeZone());
  const isIncomplete = sentences.length > 0;
  useEffect(() => {
    if (isIncomplete) startPolling(AGAIN_MS);
    return stopPolling;
  }, [isIncomplete, startPolling, stopPolling]);
  if (!isIncomplete) return null;
  return (
    <p className={styles.note} role="status">
      <AlertIcon size={16} />
      <span>{sentences.join(' ')}</span>
    </p>
  );
}

function missingSentences(data: MissingFactsQuery | undefined, timeZone: string): string[] {
  const analytics = data?.admin?.analytics;
  if (!analytics) return [];
  const { missing, freshness } = analytics;
  const isBehind = freshness.lagSeconds > NOTED_LAG_SECONDS;
  const until = texts.countedUntil(formatSecondIn(timeZone, freshness.until));
  return [...(missing ? [missing] : []), ...(isBehind ? [until] : [])];
}
