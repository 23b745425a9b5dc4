import { type ReactNode, useEffect, useRef } from 'react';
import styles from './fold.module.css';

interface FoldProps {
  title: ReactNode;
  /** What is inside, in a few words beside the title. */
  about?: string;
  /** Whether something inside needs its reader: it opens then, and stays open. */
  broken?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** A part that is opened by its title. What is wrong inside opens it, and has the focus where it is a field. */
export function Fold({ title, about, broken = false, className, children }: FoldProps) {
  const details = useRef<HTMLDetailsElement>(null);

  useEffect(() => {
    if (!broken || !details.current || details.current.open) return;
    details.current.open = true;
    details.current.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [broken]);

  return (
    <details ref={details} className={[styles.fold, className].filter(Boolean).join(' ')}>
      <summary>
        {title} {about && <span className="small soft">{about}</span>}
      </summary>
      {children}
    </details>
  );
}
