import { Link } from '~/ui/link';
import styles from './header.module.css';

/** The header of a purchase under way: home, and nothing else that leads off. */
export function BareHeader() {
  return (
    <header className={styles.header}>
      <div className={`page ${styles.bar}`}>
        <Link to="/" className={styles.wordmark} aria-label="Minimal, home">
          Minimal
        </Link>
        <p className={`${styles.end} small soft`}>Secure checkout</p>
      </div>
    </header>
  );
}
