import { useApolloClient } from '@apollo/client/react';
import { useEffect } from 'react';
import { outage } from './outage';
import styles from './outage-note.module.css';
import { texts } from './texts';

const ASKS_EVERY = 4000;

/**
 * Says that what is shown may be outdated, until the shop is back; then it is shown anew. Never in a chunk of its own:
 * a server that is away would not send it.
 */
export function OutageNote() {
  const client = useApolloClient();

  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'hidden') return;
      fetch('/readyz', { cache: 'no-store' })
        .then((answer) => {
          outage.observe(answer);
          return answer.ok ? client.refetchQueries({ include: 'active' }) : undefined;
        })
        .catch(() => undefined); // Without network there is nothing new either.
    }, ASKS_EVERY);
    return () => clearInterval(timer);
  }, [client]);

  return <p className={`page ${styles.note}`}>{texts.away}</p>;
}
