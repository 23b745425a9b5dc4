import type { ReactNode } from 'react';
import { Picture, type PictureImage } from '~/ui/picture';
import { useTitle } from '~/ui/use-title';
import styles from './auth-page.module.css';

interface AuthPageProps {
  title: string;
  /** Why the visitor is here. */
  notice?: ReactNode;
  /** Beside the form where there is room for it. */
  picture?: PictureImage | null | undefined;
  children: ReactNode;
}

/** A form about an account beside a picture from the shop. */
export function AuthPage({ title, notice, picture, children }: AuthPageProps) {
  useTitle(title);
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <h1>{title}</h1>
        {notice && (
          <p className={styles.notice} role="status">
            {notice}
          </p>
        )}
        {children}
      </div>
      <div className={styles.picture} aria-hidden="true">
        {picture && <Picture image={picture} sizes="(min-width: 960px) 57vw, 1px" free decorative />}
      </div>
    </div>
  );
}
