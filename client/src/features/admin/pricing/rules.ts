import * as v from 'valibot';
import { parseAmount, parseCents, parseWhole } from '~/ui/amount';
import { localMoment, parseMoment } from '~/ui/moment';
import { needed, typed } from '~/ui/typed';
import type { DeliveryZoneRowFragment, DiscountCodeRowFragment, SettingsWholeFragment } from './pricing.generated';

const blank = (value: number | null | undefined) => String(value ?? '');
const moment = typed(parseMoment, 'A date with a year of four digits');
const uses = typed(parseWhole, '1 or more');

const code = {
  code: v.string(),
  minSubtotal: typed(parseAmount, 'An amount such as 50.00'),
  startsAt: moment,
  endsAt: moment,
  maxUses: uses,
  maxUsesPerCustomer: uses,
};

/** What a discount code takes off is read as its kind has it. */
export const codeRules = v.variant('kind', [
  v.object({ ...code, kind: v.literal('percent'), worth: needed(parseWhole, '1 to 100') }),
  v.object({ ...code, kind: v.literal('amount'), worth: needed(parseAmount, 'An amount such as 5.00') }),
]);

/** A discount code as its form shows it. */
export function codeTyped(given: DiscountCodeRowFragment | null): v.InferInput<typeof codeRules> {
  return {
    code: given?.code ?? '',
    kind: given?.amount ? 'amount' : 'percent',
    worth: given?.amount ?? blank(given?.percent),
    minSubtotal: given && given.minSubtotal !== '0.00' ? given.minSubtotal : '',
    startsAt: localMoment(given?.startsAt),
    endsAt: localMoment(given?.endsAt),
    maxUses: blank(given?.maxUses),
    maxUsesPerCustomer: blank(given?.maxUsesPerCustomer),
  };
}

/** A discount code as the schema takes it. */
export function codeInput({ code: _code, kind, worth, ...rest }: v.InferOutput<typeof codeRules>) {
  const takesOff = kind === 'percent' ? { percent: worth, amount: null } : { percent: null, amount: worth };
  return { ...rest, ...takesOff, isActive: true };
}

/** Hundredths of a percent, as cents are hundredths of a dollar. */
function parseBasisPoints(text: string) {
  const value = parseCents(text);
  return { value, invalid: value === null };
}

export const taxRules = v.object({
  country: v.string(),
  name: v.string(),
  basisPoints: needed(parseBasisPoints, '0 to 100, such as 19 or 8.25'),
  onDelivery: v.boolean(),
});

const wholeNumber = typed(parseWhole, 'A whole number');

export const settingsRules = v.object({
  seller: v.string(),
  contactEmail: v.string(),
  cancelMinutes: wholeNumber,
  returnDays: wholeNumber,
  lowStockThreshold: wholeNumber,
  timeZone: v.string(),
  pricesIncludeTax: v.boolean(),
});

/** The settings as their form shows them. */
export function settingsTyped(settings: SettingsWholeFragment): v.InferInput<typeof settingsRules> {
  return {
    seller: settings.seller,
    contactEmail: settings.contactEmail,
    cancelMinutes: String(settings.cancelMinutes),
    returnDays: String(settings.returnDays),
    lowStockThreshold: String(settings.lowStockThreshold),
    timeZone: settings.timeZone,
    pricesIncludeTax: settings.pricesIncludeTax,
  };
}

/** What changed, as the schema takes it; an emptied field goes back to what the environment says. */
export function settingsChanges(wanted: v.InferOutput<typeof settingsRules>, saved: SettingsWholeFragment) {
  const { seller, contactEmail, ...rest } = wanted;
  const whole = { ...rest, seller: seller || null, contactEmail: contactEmail || null };
  const before: Record<string, unknown> = {
    ...saved,
    seller: saved.seller || null,
    contactEmail: saved.contactEmail || null,
  };
  return Object.fromEntries(Object.entries(whole).filter(([name, value]) => value !== before[name]));
}

const price = needed(parseAmount, '');
const rate = <From extends v.GenericSchema<string, unknown>>(from: From) => v.array(v.object({ from, price }));
const days = typed(parseWhole, 'Whole days');

const zone = {
  name: v.string(),
  isRestOfWorld: v.boolean(),
  countries: v.array(v.string()),
  freeFrom: typed(parseAmount, 'An amount such as 150.00'),
  minDays: days,
  maxDays: days,
};

/** From where on a rate counts is read as what the price goes by has it. */
export const zoneRules = v.variant('basis', [
  v.object({ ...zone, basis: v.literal('TOTAL'), rates: rate(needed(parseAmount, '')) }),
  v.object({ ...zone, basis: v.literal('WEIGHT'), rates: rate(needed(parseWhole, '')) }),
]);

/** What is said of rates that cannot be read. */
export const wrongRates = { TOTAL: 'Amounts such as 12.00', WEIGHT: 'Whole grams, and prices such as 12.00' };

/** A delivery zone as its form shows it. */
export function zoneTyped(given: DeliveryZoneRowFragment | null): v.InferInput<typeof zoneRules> {
  return {
    name: given?.name ?? '',
    isRestOfWorld: given?.isRestOfWorld ?? false,
    countries: given?.countries.map(({ code: one }) => one) ?? [],
    basis: given?.basis ?? 'TOTAL',
    rates: (given?.rates ?? [{ fromGrams: null, fromAmount: '0.00', price: '' }]).map((one) => ({
      from: one.fromAmount ?? String(one.fromGrams),
      price: one.price,
    })),
    freeFrom: given?.freeFrom ?? '',
    minDays: blank(given?.minDays),
    maxDays: blank(given?.maxDays),
  };
}

/** A delivery zone as the schema takes it. */
export function zoneInput(wanted: v.InferOutput<typeof zoneRules>) {
  const countries = wanted.isRestOfWorld ? [] : wanted.countries;
  const rates =
    wanted.basis === 'WEIGHT'
      ? wanted.rates.map(({ from, price: costs }) => ({ grams: from, minimum: null, price: costs }))
      : wanted.rates.map(({ from, price: costs }) => ({ grams: null, minimum: from, price: costs }));
  return { ...wanted, countries, rates };
}
