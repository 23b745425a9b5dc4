import * as v from 'valibot';
import { parseAmount, parseCents, parseWhole } from '~/ui/amount';
import { localMomentIn, parseMomentIn } from '~/ui/moment';
import { needed, typed } from '~/ui/typed';
import type { DeliveryZoneRowFragment, DiscountCodeRowFragment } from './pricing.generated';
import {
  type ActionKind,
  actionEntries,
  actionInput,
  conditionEntries,
  conditionsInput,
  type Fields,
} from './promotion-rules';

const blank = (value: number | null | undefined) => String(value ?? '');
const uses = typed(parseWhole, '1 or more');

function codeFields(timeZone: string) {
  const moment = typed((text) => parseMomentIn(timeZone, text), 'A date with a year of four digits');
  return { code: v.string(), startsAt: moment, endsAt: moment, maxUses: uses, maxUsesPerCustomer: uses };
}

type FieldRules = Record<string, v.GenericSchema<string, unknown>>;
const fieldRules = (fields: Fields): FieldRules =>
  Object.fromEntries(Object.entries(fields).map(([name, { rule }]) => [name, rule]));
const conditionRules: FieldRules = Object.assign({}, ...conditionEntries.map(([, { fields }]) => fieldRules(fields)));

type CodeFields = ReturnType<typeof codeFields>;
type CodeTyped = Record<keyof CodeFields, string> & {
  kind: ActionKind;
} & Record<string, string>;
type CodeReady = v.InferOutput<v.ObjectSchema<CodeFields, undefined>> & {
  kind: ActionKind;
} & Record<string, unknown>;

/** The fields of an action are read as its kind has them, moments by the clock of a time zone. */
export function codeRulesIn(timeZone: string): v.GenericSchema<CodeTyped, CodeReady> {
  const code = codeFields(timeZone);
  return v.variant(
    'kind',
    actionEntries.map(([kind, { fields }]) =>
      v.object({
        ...conditionRules,
        ...fieldRules(fields),
        ...code,
        kind: v.literal(kind),
      }),
    ),
  );
}

/** A discount code as its form shows it, moments by the clock of a time zone. */
export function codeTyped(row: DiscountCodeRowFragment | null, timeZone: string): CodeTyped {
  const forms = [...actionEntries, ...conditionEntries];
  const empty = forms.flatMap(([, { fields }]) => Object.keys(fields).map((name) => [name, ''] as const));
  const { action = null, conditions = [] } = row ?? {};
  const parameters = Object.entries(Object.assign({}, action, ...conditions) as Record<string, string | number>);
  return {
    ...Object.fromEntries(empty),
    ...Object.fromEntries(parameters.map(([name, value]) => [name, String(value)])),
    code: row?.code ?? '',
    kind: action?.__typename ?? 'PercentOff',
    startsAt: localMomentIn(timeZone, row?.startsAt),
    endsAt: localMomentIn(timeZone, row?.endsAt),
    maxUses: blank(row?.maxUses),
    maxUsesPerCustomer: blank(row?.maxUsesPerCustomer),
  };
}

/** A discount code as the schema takes it. */
export function codeInput({ kind, startsAt, endsAt, maxUses, maxUsesPerCustomer, ...rules }: CodeReady) {
  const action = actionInput(kind, rules);
  return {
    action,
    conditions: conditionsInput(rules),
    startsAt,
    endsAt,
    maxUses,
    maxUsesPerCustomer,
    isActive: true,
  };
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
  v.object({
    ...zone,
    basis: v.literal('TOTAL'),
    rates: rate(needed(parseAmount, '')),
  }),
  v.object({
    ...zone,
    basis: v.literal('WEIGHT'),
    rates: rate(needed(parseWhole, '')),
  }),
]);

/** What is said of rates that cannot be read. */
export const wrongRates = {
  TOTAL: 'Amounts such as 12.00',
  WEIGHT: 'Whole grams, and prices such as 12.00',
};

/** A delivery zone as its form shows it. */
export function zoneTyped(row: DeliveryZoneRowFragment | null): v.InferInput<typeof zoneRules> {
  return {
    name: row?.name ?? '',
    isRestOfWorld: row?.isRestOfWorld ?? false,
    countries: row?.countries.map(({ code: one }) => one) ?? [],
    basis: row?.basis ?? 'TOTAL',
    rates: (row?.rates ?? [{ fromGrams: null, fromAmount: '0.00', price: '' }]).map((one) => ({
      from: one.fromAmount ?? String(one.fromGrams),
      price: one.price,
    })),
    freeFrom: row?.freeFrom ?? '',
    minDays: blank(row?.minDays),
    maxDays: blank(row?.maxDays),
  };
}

/** A delivery zone as the schema takes it. */
export function zoneInput(form: v.InferOutput<typeof zoneRules>) {
  const countries = form.isRestOfWorld ? [] : form.countries;
  const rates =
    form.basis === 'WEIGHT'
      ? form.rates.map(({ from, price: costs }) => ({
          grams: from,
          minimum: null,
          price: costs,
        }))
      : form.rates.map(({ from, price: costs }) => ({
          grams: null,
          minimum: from,
          price: costs,
        }));
  return { ...form, countries, rates };
}
