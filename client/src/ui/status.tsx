import type { ReactNode } from 'react';
import styles from './status.module.css';

export type StatusMark = 'full' | 'half' | 'empty' | 'broken' | 'cross';

const shapes: Record<StatusMark, ReactNode> = {
  full: <circle cx="6" cy="6" r="5" fill="currentColor" />,
  half: (
    <>
      <circle cx="6" cy="6" r="4.3" />
      <path d="M6 1.7a4.3 4.3 0 0 1 0 8.6Z" fill="currentColor" />
    </>
  ),
  empty: <circle cx="6" cy="6" r="4.3" />,
  broken: <circle cx="6" cy="6" r="4.3" strokeDasharray="3.4 3.3" />,
  cross: <path d="M2 2l8 8M10 2l-8 8" />,
};

/** A state, by a shape of its own and a word. */
export function Status({ mark, children }: { mark: StatusMark; children: string }) {
  return (
    <span className={`${styles.status} ${mark === 'cross' ? styles.failed : ''}`}>
      <svg
        width={12}
        height={12}
        viewBox="0 0 12 12"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.4}
        aria-hidden="true"
      >
        {shapes[mark]}
      </svg>
      {children}
    </span>
  );
}
