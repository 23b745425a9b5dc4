import { EMPTY, INVALID, type Parsed } from './amount';

const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/** What a `datetime-local` field says in this computer's time zone, as the schema takes it. Years have four digits. */
export function parseMoment(typed: string): Parsed<string> {
  if (!typed) return EMPTY;
  const at = LOCAL.test(typed) ? new Date(typed) : null;
  return at && !Number.isNaN(at.getTime()) ? { value: at.toISOString(), invalid: false } : INVALID;
}

const pad = (value: number) => String(value).padStart(2, '0');

/** A moment of the schema as a `datetime-local` field shows it, in this computer's time zone. */
export function localMoment(moment: string | null | undefined): string {
  if (!moment) return '';
  const at = new Date(moment);
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}T${pad(at.getHours())}:${pad(at.getMinutes())}`;
}
