import { type ReactNode, useId } from 'react';
import { Link } from '~/ui/link';
import styles from './section.module.css';

interface SectionProps {
  title: string;
  sale?: boolean;
  links?: readonly { label: string; to: string }[];
  /** A control for the whole section, right of its heading. */
  end?: ReactNode;
  children: ReactNode;
}

/** A part of a page under its own heading, with the ways to more of the same. */
export function Section({ title, sale, links = [], end, children }: SectionProps) {
  const id = useId();
  return (
    <section className={`page ${styles.section}`} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id} className={sale ? styles.sale : undefined}>
          {title}
        </h2>
        {links.length > 0 && (
          <div className={styles.links}>
            {links.map(({ label, to }) => (
              <Link key={to} to={to} className="link">
                {label}
              </Link>
            ))}
          </div>
        )}
        {end}
      </div>
      {children}
    </section>
  );
}
