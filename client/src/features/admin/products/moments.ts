const pad = (value: number) => String(value).padStart(2, '0');

/** A moment of the schema as a `datetime-local` field shows it, in this computer's time zone. */
export function toLocal(moment: string | null | undefined): string {
  if (!moment) return '';
  const at = new Date(moment);
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}T${pad(at.getHours())}:${pad(at.getMinutes())}`;
}

/** What a `datetime-local` field says, as the schema takes it; null for an empty field. */
export function toMoment(local: string): string | null {
  return local ? new Date(local).toISOString() : null;
}

const words = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** "Nov 20, 2026, 16:02", in this computer's time zone. */
export const inWords = (moment: string) => words.format(new Date(moment));
