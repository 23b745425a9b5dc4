/** A day as a `date` field and the schema write it, "2026-11-21"; null for any other text. */
export function parseDay(text: string): string | null {
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  // No February has a 30th: it would be taken for a day of March.
  return moment && !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text) ? text : null;
}
