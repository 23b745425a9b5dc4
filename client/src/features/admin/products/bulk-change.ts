import type { AdjustmentReason, PriceRounding, PriceStep, ProductsChange } from '~/graphql/schema.generated';
import { toMoment } from './moments';

export type BulkKind = 'price' | 'discount' | 'stock' | 'retire' | 'restore';

/** What the form of a change for many products holds, as typed. */
export interface BulkForm {
  step: PriceStep;
  amount: string;
  rounding: PriceRounding;
  ends: boolean;
  percent: string;
  startsAt: string;
  endsAt: string;
  pieces: string;
  replaces: boolean;
  reason: AdjustmentReason;
  note: string;
}

export const emptyBulkForm: BulkForm = {
  step: 'RAISE_PERCENT',
  amount: '',
  rounding: 'CENT',
  ends: false,
  percent: '',
  startsAt: '',
  endsAt: '',
  pieces: '',
  replaces: false,
  reason: 'RECEIVED',
  note: '',
};

const isPercent = (step: PriceStep) => step === 'RAISE_PERCENT' || step === 'LOWER_PERCENT';
const isDecimal = (text: string) => /^\d+(\.\d{1,2})?$/.test(text.trim());
const isWhole = (text: string) => /^-?\d{1,7}$/.test(text.trim());

/** The change as the schema takes it; null while something is missing or no number. */
export function changeOf(kind: BulkKind, form: BulkForm): ProductsChange | null {
  if (kind === 'retire' || kind === 'restore') return { retired: kind === 'retire' };
  if (kind === 'price') {
    if (!isDecimal(form.amount)) return null;
    const { step, rounding } = form;
    const amount = form.amount.trim();
    return { price: isPercent(step) ? { step, rounding, percent: Number(amount) } : { step, rounding, amount } };
  }
  if (kind === 'discount') {
    if (form.ends) return { discount: { percent: null } };
    if (!isWhole(form.percent)) return null;
    const { rounding } = form;
    const window = { startsAt: toMoment(form.startsAt), endsAt: toMoment(form.endsAt) };
    return { discount: { percent: Number(form.percent), rounding, ...window } };
  }
  if (!isWhole(form.pieces)) return null;
  return { stock: { pieces: Number(form.pieces), replaces: form.replaces, reason: form.reason, note: form.note } };
}

export { isPercent };
