import type { ReactNode } from 'react';
import styles from './product-form.module.css';

interface SectionProps {
  heading: 'h2' | 'h3';
  title: string;
  aside?: string;
  children: ReactNode;
}

/** One part of a product's form, with a few words about it. */
export function Section({ heading: Heading, title, aside, children }: SectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.head}>
        <Heading>{title}</Heading>
        {aside && <p className="small soft">{aside}</p>}
      </div>
      {children}
    </section>
  );
}
