import { useSyncExternalStore } from 'react';
import styles from './product-card.module.css';

const NEW_FOR_MS = 90 * 86_400_000;

const never = () => () => {};

/** Marks what came into the range lately. Pages are drawn once for many days, so only the browser says it. */
export function NewLabel({ since }: { since: string }) {
  const isNew = useSyncExternalStore(
    never,
    () => Date.now() - Date.parse(since) < NEW_FOR_MS,
    () => false,
  );
  return isNew && <p className={styles.new}>New</p>;
}
