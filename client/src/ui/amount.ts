/** The amount in a field's text: null when it is empty or invalid, which `invalid` distinguishes. */
export interface Parsed<Value> {
  value: Value | null;
  invalid: boolean;
}

export const EMPTY = { value: null, invalid: false };
export const INVALID = { value: null, invalid: true };

const AMOUNT = /^(\d{1,3}(?:,\d{3})+|\d*)(?:[.,](\d{1,2}))?\.?$/;

/**
 * An amount of dollars as people write it, as the schema takes it: "$1,234.5" is "1234.50", "19,90" is "19.90" and ".5"
 * is "0.50". A comma before three digits groups thousands; before one or two it stands for the decimal point.
 */
export function parseAmount(typed: string): Parsed<string> {
  const text = typed.replace(/\s/g, '').replace(/^\$/, '');
  if (!typed.trim()) return EMPTY;
  const [, whole = '', fraction = ''] = AMOUNT.exec(text) ?? [];
  const digits = whole.replaceAll(',', '').replace(/^0+(?=\d)/, '');
  if (!/\d/.test(whole + fraction) || digits.length > 9) return INVALID;
  return { value: `${digits || '0'}.${fraction.padEnd(2, '0')}`, invalid: false };
}

/** Integer cents of an amount; null for none and for what cannot be read. */
export function parseCents(typed: string): number | null {
  const { value } = parseAmount(typed);
  return value === null ? null : Number(value.replace('.', ''));
}

/** A whole number of at most nine digits, with a sign where `signed`. */
export function parseWhole(typed: string, { signed = false } = {}): Parsed<number> {
  const text = typed.trim();
  if (!text) return EMPTY;
  return (signed ? /^[+-]?\d{1,9}$/ : /^\d{1,9}$/).test(text) ? { value: Number(text), invalid: false } : INVALID;
}
