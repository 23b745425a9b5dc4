import { formatMomentIn, formatNumber } from '~/ui/format';
import { formatPrice } from '~/ui/price';
import { daysInWords } from '~/ui/sums';
import type { DeliveryZoneRowFragment, DiscountCodeRowFragment } from './pricing.generated';
import { actionWords, conditionWords } from './promotion-rules';

/** "15% off" or "$5.00 off"; empty for an action that only a later version of the shop has. */
export function worth({ action }: DiscountCodeRowFragment): string {
  return action ? actionWords(action) : '';
}

/** Whom and what a code is for, and when by the clock of a time zone, in short sentences; empty without conditions. */
export function conditions(code: DiscountCodeRowFragment, timeZone: string): string {
  const parts = [
    ...code.conditions.map(conditionWords),
    code.startsAt && `Starts ${formatMomentIn(timeZone, code.startsAt)}.`,
    code.endsAt && `Ends ${formatMomentIn(timeZone, code.endsAt)}.`,
    code.maxUsesPerCustomer && `${formatNumber(code.maxUsesPerCustomer)} for each customer.`,
  ];
  return parts.filter(Boolean).join(' ');
}

/** "12 of 100, 2 in checkouts". */
export function used({ uses, held, maxUses }: DiscountCodeRowFragment): string {
  const all = maxUses === null ? formatNumber(uses) : `${formatNumber(uses)} of ${formatNumber(maxUses)}`;
  return held > 0 ? `${all}, ${formatNumber(held)} in checkouts` : all;
}

/** "$12.00, from 1 kg $18.00; free from $150.00". */
export function prices({ rates, freeFrom }: DeliveryZoneRowFragment): string {
  const steps = rates.map(({ fromGrams, fromAmount, price }, place) => {
    const least = fromGrams === null ? formatPrice(fromAmount ?? '0') : weight(fromGrams);
    return place === 0 && (fromGrams === 0 || fromAmount === '0.00')
      ? formatPrice(price)
      : `from ${least} ${formatPrice(price)}`;
  });
  return [steps.join(', '), freeFrom !== null && `free from ${formatPrice(freeFrom)}`].filter(Boolean).join('; ');
}

/** "1.5 kg" or "400 g". */
export function weight(grams: number): string {
  return grams >= 1000 ? `${grams / 1000} kg` : `${grams} g`;
}

/** Where a zone goes, in words. */
export function places({ isRestOfWorld, countries }: DeliveryZoneRowFragment): string {
  return isRestOfWorld ? 'Every country that no other zone lists' : countries.map(({ name }) => name).join(', ');
}

export const days = ({ minDays, maxDays }: DeliveryZoneRowFragment) => daysInWords(minDays, maxDays) ?? 'Not said';
