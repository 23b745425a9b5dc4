import { formatNumber } from './format';
import { Link } from './link';
import styles from './table.module.css';
import type { ListQuery } from './use-list-query';

interface PagerProps {
  list: Pick<ListQuery<Record<string, string>>, 'page' | 'next' | 'previous'>;
  /** Rows of a full page. */
  size: number;
  /** Rows of this page. */
  shown: number;
  /** Rows of all pages. */
  total: number;
  pageInfo: { hasNextPage: boolean; endCursor?: string | null };
}

/** Which rows of how many are shown, and the ways to the others. */
export function Pager({ list: { page, next, previous }, size, shown, total, pageInfo }: PagerProps) {
  const from = (page - 1) * size;
  if (total === 0) return null;
  const onward = pageInfo.hasNextPage && pageInfo.endCursor ? next(pageInfo.endCursor) : null;
  return (
    <nav className={styles.pager} aria-label="Pages">
      <p className="soft" role="status">
        {`${formatNumber(from + 1)} to ${formatNumber(from + shown)} of ${formatNumber(total)}`}
      </p>
      {(previous || onward) && (
        <div className={styles.pages}>
          {previous ? (
            <Link {...previous} className="link" rel="prev">
              Previous
            </Link>
          ) : (
            <span>Previous</span>
          )}
          {onward ? (
            <Link {...onward} className="link" rel="next">
              Next
            </Link>
          ) : (
            <span>Next</span>
          )}
        </div>
      )}
    </nav>
  );
}
