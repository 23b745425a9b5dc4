import type { ReactNode } from 'react';
import styles from './action-bar.module.css';

interface ActionBarProps {
  label: string;
  role?: 'region' | 'group';
  className?: string | undefined;
  children: ReactNode;
}

/** What can be done with the screen as a whole: words and buttons at its lower edge, above which toasts stand. */
export function ActionBar({ label, role = 'region', className, children }: ActionBarProps) {
  return (
    <div className={[styles.bar, className].filter(Boolean).join(' ')} role={role} aria-label={label}>
      {children}
    </div>
  );
}
