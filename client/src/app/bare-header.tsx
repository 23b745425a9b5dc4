import { Link } from '~/ui/link';
import { shopName } from '~/ui/shop-name';
import styles from './header.module.css';

/** The header of a purchase under way: home, and nothing else that leads off. */
export function BareHeader() {
  return (
    <header className={styles.header}>
      <div className={`page ${styles.bar}`}>
        <Link to="/" className={styles.wordmark} aria-label={`${shopName()}, home`}>
          {shopName()}
        </Link>
        <p className={`${styles.end} small soft`}>Secure checkout</p>
      </div>
    </header>
  );
}
