import type { AuditFilter } from '~/graphql/schema.generated';
import { parseDay } from '~/ui/day';
import type { LogNarrowing } from './log-filters';

/** The schema's filter; both days belong to what is asked for, and are the shop's. */
export function toFilter({ search, actor, action, kind, subject, from, to }: LogNarrowing): AuditFilter {
  return {
    search: search || null,
    actor: actor || null,
    action: action || null,
    kind: kind || null,
    subjectId: subject || null,
    from: parseDay(from),
    to: parseDay(to),
  };
}
