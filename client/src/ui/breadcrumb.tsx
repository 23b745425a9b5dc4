import styles from './breadcrumb.module.css';
import { Link } from './link';

/** The way back up. */
export function Breadcrumb({ steps }: { steps: readonly { to: string; label: string }[] }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className={styles.crumbs}>
        {steps.map(({ to, label }) => (
          <li key={to}>
            <Link to={to} className="link">
              {label}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
