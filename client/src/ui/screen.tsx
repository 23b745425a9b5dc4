import type { ReactNode } from 'react';
import styles from './screen.module.css';
import { useTitle } from './use-title';

interface ScreenProps {
  /** Names the window. */
  title: string;
  className?: string | undefined;
  children: ReactNode;
}

/** The ground of one screen: page margins and the distance from the header. */
export function Screen({ title, className, children }: ScreenProps) {
  useTitle(title);
  return <div className={['page', styles.screen, className].filter(Boolean).join(' ')}>{children}</div>;
}
