import * as v from 'valibot';
import type { AdjustmentReason, PriceRounding, PriceStep, ProductsChange } from '~/graphql/schema.generated';
import { parseAmount, parseWhole } from '~/ui/amount';
import { parseMomentIn } from '~/ui/moment';
import { texts } from './texts';

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
  effect: 'add' | 'set';
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
  effect: 'add',
  reason: 'RECEIVED',
  note: '',
};

const isPercent = (step: PriceStep) => step === 'RAISE_PERCENT' || step === 'LOWER_PERCENT';

/** The change as the schema takes it, moments by the clock of a time zone; null while something is missing or no number. */
export function changeOf(kind: BulkKind, form: BulkForm, timeZone: string): ProductsChange | null {
  if (kind === 'retire' || kind === 'restore') return { retired: kind === 'retire' };
  if (kind === 'price') {
    const { step, rounding } = form;
    const { value: amount } = parseAmount(form.amount);
    if (amount === null) return null;
    return { price: isPercent(step) ? { step, rounding, percent: Number(amount) } : { step, rounding, amount } };
  }
  if (kind === 'discount') {
    if (form.ends) return { discount: { percent: null } };
    const { value: percent } = parseWhole(form.percent);
    const startsAt = parseMomentIn(timeZone, form.startsAt);
    const endsAt = parseMomentIn(timeZone, form.endsAt);
    if (percent === null || startsAt.invalid || endsAt.invalid) return null;
    return { discount: { percent, rounding: form.rounding, startsAt: startsAt.value, endsAt: endsAt.value } };
  }
  const { value: pieces } = parseWhole(form.pieces, { signed: true });
  if (pieces === null) return null;
  return { stock: { pieces, replaces: form.effect === 'set', reason: form.reason, note: form.note } };
}

/** Valid once it says a change, which it then becomes. */
export function bulkRules(kind: BulkKind, timeZone: string) {
  return v.pipe(
    v.custom<BulkForm>((form) => typeof form === 'object'),
    v.rawTransform<BulkForm, ProductsChange>(({ dataset, addIssue, NEVER }) => {
      const change = changeOf(kind, dataset.value, timeZone);
      if (change) return change;
      addIssue({ message: texts.previewFailed });
      return NEVER;
    }),
  );
}

export { isPercent };
