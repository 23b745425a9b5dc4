import type { AuditFilter } from '~/graphql/schema.generated';
import type { LogNarrowing } from './log-filters';

/** The first moment of a day of this browser's calendar; null for what is no day. */
function startOf(day: string, later = 0): string | null {
  const [year, month, date] = /^\d{4}-\d{2}-\d{2}$/.test(day) ? day.split('-').map(Number) : [];
  if (!year || !month || !date) return null;
  return new Date(year, month - 1, date + later).toISOString();
}

/** The schema's filter; both days belong to what is asked for. */
export function toFilter({ search, actor, action, kind, subject, from, to }: LogNarrowing): AuditFilter {
  return {
    search: search || null,
    actor: actor || null,
    action: action || null,
    kind: kind || null,
    subjectId: subject || null,
    from: startOf(from),
    to: startOf(to, 1),
  };
}
