import type { ReactNode } from 'react';
import styles from './error-note.module.css';
import { AlertIcon } from './icons';

/** A message beside its cause: mark and words. */
export function ErrorNote({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p className={styles.error} id={id} role="alert">
      <AlertIcon size={16} />
      <span>{children}</span>
    </p>
  );
}
