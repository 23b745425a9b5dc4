import styles from './ring.module.css';

/** An open ring that turns. `late` keeps it hidden for the first 300 ms. */
export function Ring({ size = 20, late }: { size?: number; late?: boolean }) {
  return (
    <svg
      className={`${styles.ring} ${late ? styles.late : ''}`}
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.4}
      aria-hidden="true"
    >
      <path d="M10 3a7 7 0 1 1-5.7 2.9" />
    </svg>
  );
}

/** A ring beside the words that say what is awaited. */
export function Waiting({ children }: { children: string }) {
  return (
    <p className={styles.waiting} role="status">
      <Ring />
      {children}
    </p>
  );
}
