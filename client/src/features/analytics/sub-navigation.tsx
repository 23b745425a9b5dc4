import type { ReactNode } from 'react';
import { Link } from '~/ui/link';
import styles from './sub-navigation.module.css';
import { texts } from './texts';

interface SubNavigationProps {
  current: 'overview' | 'reports';
  /** Menus of the current view. */
  children?: ReactNode;
  /** At the far end. */
  aside?: ReactNode;
}

const views = [
  { id: 'overview', label: texts.overview, to: '/admin?tab=analytics' },
  { id: 'reports', label: texts.reports, to: '/admin?tab=analytics&view=reports' },
] as const;

/** The two views of Analytics, and what the current one is about. */
export function SubNavigation({ current, children, aside }: SubNavigationProps) {
  return (
    <div className={styles.bar}>
      <nav aria-label={texts.views} className={styles.views}>
        {views.map(({ id, label, to }) => (
          <Link key={id} to={to} aria-current={id === current ? 'page' : undefined}>
            {label}
          </Link>
        ))}
      </nav>
      {children && <div className={styles.menus}>{children}</div>}
      {aside && <div className={styles.aside}>{aside}</div>}
    </div>
  );
}
