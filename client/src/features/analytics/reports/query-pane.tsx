import { toast } from '~/ui/toast';
import styles from './builder.module.css';
import { texts } from './texts';

/** The report as a query, to be read and taken along. */
export function QueryPane({ query }: { query: string }) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(query);
      toast.info(texts.queryCopied);
    } catch {
      toast.error(texts.copyFailed);
    }
  }

  return (
    <aside className={styles.query} aria-label={texts.query}>
      <div className={styles.queryHead}>
        <h2>{texts.query}</h2>
        <button type="button" className="link small" onClick={() => void copy()}>
          {texts.copyQuery}
        </button>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls sideways, which keys must reach. */}
      <pre tabIndex={0}>{query}</pre>
    </aside>
  );
}
