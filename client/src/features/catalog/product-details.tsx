import styles from './product-details.module.css';

/** What it is made of, how it fits, how to wash it. */
export function ProductDetails({ details }: { details: readonly { label: string; text: string }[] }) {
  if (details.length === 0) return null;
  return (
    <section className={styles.details} aria-labelledby="details">
      <h2 id="details" style={{ fontSize: 'var(--text-h3)' }}>
        Details
      </h2>
      <dl>
        {details.map(({ label, text }) => (
          <div key={label} className={styles.row}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
