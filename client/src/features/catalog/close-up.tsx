import { Link } from '~/ui/link';
import { Picture } from '~/ui/picture';
import type { ClosePieceFragment } from './close-up.generated';
import styles from './close-up.module.css';

/** One piece seen from near, with what it is made of. */
export function CloseUp({ piece }: { piece: ClosePieceFragment }) {
  const image = piece.colors[0]?.images.at(-1);
  const to = `/product/${piece.id}`;
  return (
    <section className={styles.close} aria-labelledby="close-up">
      <Link to={to} className={styles.picture} tabIndex={-1}>
        {image && <Picture free image={image} sizes="(min-width: 960px) 58vw, 100vw" />}
      </Link>
      <div className={styles.words}>
        <h2 id="close-up">Nothing on it that does not hold it together</h2>
        <div>
          <p className={styles.text}>
            We draw a garment once and keep it. Every piece says what it is made of and where. This is the{' '}
            <Link to={to} className="link">
              {piece.name}
            </Link>
            .
          </p>
          <dl style={{ marginTop: 'var(--space-5)' }}>
            {piece.details.slice(0, 3).map(({ label, text }) => (
              <div key={label} className={styles.row}>
                <dt>{label}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </section>
  );
}
