import styles from './facts.module.css';

const facts = [
  { title: 'Stock', text: 'What a page calls in stock is there. When few are left, it says how many.' },
  { title: 'Colors', text: 'Every color has pictures of its own, from the front, the back and close up.' },
  { title: 'Sizes', text: 'XS to XXL, at one price.' },
  { title: 'Payment', text: 'By card. We never see or keep the number.' },
] as const;

/** What a shopper may rely on. */
export function Facts() {
  return (
    <section className={`page ${styles.facts}`} aria-label="Good to know">
      {facts.map(({ title, text }) => (
        <div key={title} className={styles.fact}>
          <h3>{title}</h3>
          <p>{text}</p>
        </div>
      ))}
    </section>
  );
}
