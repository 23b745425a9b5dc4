import { Link } from '~/ui/link';
import { texts } from './texts';

interface HistoryLinkProps {
  /** As the audit log calls it: `product`, `order`, `user`. */
  kind: string;
  id: string;
}

/** A link to the audit log of one thing. */
export function HistoryLink({ kind, id }: HistoryLinkProps) {
  return (
    <Link to={`/admin/log?${new URLSearchParams({ kind, subject: id })}`} className="link small">
      {texts.history}
    </Link>
  );
}
