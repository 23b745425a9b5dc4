import type { ReactNode } from 'react';
import styles from './empty.module.css';
import { AlertIcon } from './icons';

export function Hanger({ width = 96 }: { width?: number }) {
  return (
    <svg width={width} viewBox="0 0 96 60" fill="none" stroke="currentColor" strokeWidth={1.2} aria-hidden="true">
      <path d="M44.5 8.5a5 5 0 1 1 8 3.8c-2.6 1.8-4.5 3-4.5 7L5 49.5c-3.5 2.4-1.8 7.5 2.5 7.5h81c4.3 0 6-5.1 2.5-7.5L48 19.3" />
    </svg>
  );
}

interface EmptyProps {
  title: string;
  children?: ReactNode;
  /** The one way on. */
  action?: ReactNode;
  /** The level of its heading on the page. */
  as?: 'h1' | 'h2';
}

/** Nothing here: a bare hanger, what is missing, what to do next. */
export function Empty({ title, children, action, as: Heading = 'h2' }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <div className={styles.hanger}>
        <Hanger />
      </div>
      <Heading>{title}</Heading>
      {children && <p className={styles.text}>{children}</p>}
      {action}
    </div>
  );
}

/** Something failed: what happened, and one way on. */
export function Failure({ title, children, action, as: Heading = 'h2' }: EmptyProps) {
  return (
    <div className={`${styles.empty} ${styles.failed}`} role="alert">
      <Heading>{title}</Heading>
      {children && (
        <p className={styles.text}>
          <AlertIcon size={18} />
          <span>{children}</span>
        </p>
      )}
      {action}
    </div>
  );
}
