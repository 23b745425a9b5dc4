import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import styles from './order.module.css';
import type { Refusal } from './outcome';

interface ChangedMeanwhileProps {
  refusal: Refusal;
  /** The order has been fetched again. */
  onLook: () => void;
}

/** Why an action was refused; where the order has changed since it was read, how, and the way to what it is now. */
export function ChangedMeanwhile({ refusal: { message, changes }, onLook }: ChangedMeanwhileProps) {
  const client = useApolloClient();
  const [fetching, setFetching] = useState(false);

  async function look() {
    setFetching(true);
    await client.refetchQueries({ include: 'active' });
    setFetching(false);
    onLook();
  }

  return (
    <>
      <ErrorNote>{message}</ErrorNote>
      {changes.length > 0 && (
        <>
          <ul className={styles.changes} aria-label="Changed meanwhile">
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
          <div className={styles.itemActions}>
            <Button small kind="primary" working={fetching && 'Fetching ...'} onClick={() => void look()}>
              Look at the order again
            </Button>
          </div>
        </>
      )}
    </>
  );
}
