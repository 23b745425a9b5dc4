import type { InputHTMLAttributes } from 'react';
import { texts } from './texts';
import type { CreateProductInput, UpdateProductInput } from '~/graphql/schema.generated';
import { parseAmount, parseCents, parseWhole } from '~/ui/amount';
import { formatNumber } from '~/ui/format';
import { formatTypedMoment, isMoment, localMomentIn, parseMomentIn } from '~/ui/moment';
import { formatPrice } from '~/ui/price';
import { visible } from '~/ui/visible';
import type { EditableProductFragment } from './product-form.generated';

/** How text of one kind is read from a product, checked, sent, and shown where two versions are compared. */
interface Kind<Stored, Sent> {
  control: 'line' | 'area';
  attributes: Pick<InputHTMLAttributes<HTMLInputElement>, 'inputMode' | 'type' | 'maxLength'> & { start?: string };
  /** Moments are read and sent by the clock of a time zone. */
  read: (value: Stored, timeZone: string) => string;
  isValid: (typed: string) => boolean;
  /** `stored` is what the product has, undefined for a new one. */
  send: (typed: string, stored: Stored | undefined, timeZone: string) => Sent;
  /** Null where the text is too long to be quoted. */
  format: ((typed: string) => string) | null;
}

interface Options {
  section: 'basics' | 'pricing';
  label: string;
  /** What it is called in a list of changes; the label in lower case when left out. */
  noun?: string;
  note?: string | ((typed: string) => string);
  /** Whether it may be empty: always, or for a new product alone. Otherwise the shop needs it. */
  isOptional?: boolean | 'new';
  /** The message for a value that is missing or invalid; "Name is required" when left out. */
  problem?: string;
}

type Declared = keyof EditableProductFragment & keyof UpdateProductInput & keyof CreateProductInput;

export interface TextField<Name extends string = string> extends Options {
  name: Name;
  noun: string;
  problem: string;
  control: 'line' | 'area';
  attributes: Kind<never, never>['attributes'];
  read: (product: EditableProductFragment, timeZone: string) => string;
  isValid: (typed: string) => boolean;
  send: (typed: string, product: EditableProductFragment | null, timeZone: string) => unknown;
  format: ((typed: string) => string) | null;
}

function text<Name extends Declared>(
  name: Name,
  kind: Kind<EditableProductFragment[Name], UpdateProductInput[Name] & CreateProductInput[Name]>,
  options: Options,
): TextField<Name> {
  return {
    noun: options.label.toLowerCase(),
    problem: `${options.label} is required`,
    ...kind,
    ...options,
    name,
    read: (product, timeZone) => kind.read(product[name], timeZone),
    send: (typed, product, timeZone) => kind.send(typed, product?.[name], timeZone),
  };
}

const MOST_GRAMS = 9_999_999;
const quote = (typed: string) => (typed.length > 40 ? `${typed.slice(0, 39)}…` : typed || 'none');

const line: Kind<string, string> = {
  control: 'line',
  attributes: { maxLength: 200 },
  read: (value) => value,
  isValid: (typed) => visible.test(typed),
  send: (typed) => typed.trim(),
  format: quote,
};

const area: Kind<string, string> = { ...line, control: 'area', attributes: { maxLength: 5000 }, format: null };

const amount: Kind<string | null, string> = {
  control: 'line',
  attributes: { inputMode: 'decimal', start: '$' },
  read: (value) => value ?? '',
  isValid: (typed) => (parseCents(typed) ?? 0) > 0,
  send: (typed) => parseAmount(typed).value ?? typed,
  format(typed) {
    const { value } = parseAmount(typed);
    return value === null ? typed.trim() || 'none' : formatPrice(value);
  },
};

const optionalAmount: Kind<string | null, string | null> = { ...amount, send: (typed) => parseAmount(typed).value };

const moment: Kind<string | null, string | null> = {
  control: 'line',
  attributes: { type: 'datetime-local' },
  read: (value, timeZone) => localMomentIn(timeZone, value),
  isValid: isMoment,
  // The field shows whole minutes; an unchanged time keeps its seconds.
  send: (typed, stored, timeZone) =>
    stored && typed === localMomentIn(timeZone, stored) ? stored : parseMomentIn(timeZone, typed).value,
  format: (typed) => (typed && isMoment(typed) ? formatTypedMoment(typed) : typed || 'none'),
};

const grams: Kind<number, number | null> = {
  control: 'line',
  attributes: { inputMode: 'numeric' },
  read: String,
  isValid: (typed) => (parseWhole(typed).value ?? Number.NaN) <= MOST_GRAMS,
  send: (typed) => parseWhole(typed).value,
  format: (typed) => `${typed} g`,
};

/** The fields of a product that are typed as text, in the order of the form. A new one is an entry here, and no more. */
export const textFields = [
  text('name', line, { section: 'basics', label: 'Name', problem: texts.nameRequired }),
  text('subtitle', line, { section: 'basics', label: 'Subtitle', problem: texts.subtitleRequired }),
  text('description', area, {
    section: 'basics',
    label: 'Description',
    problem: texts.descriptionRequired,
    note: (typed) => `${formatNumber(typed.length)} characters. Up to 5,000.`,
  }),
  {
    ...text('title', line, {
      section: 'basics',
      label: 'Title (optional)',
      noun: 'title',
      isOptional: true,
      note: 'Read with its pictures; the name when empty.',
    }),
    // A title that only repeats the name is left to follow it.
    read: ({ title, name }: EditableProductFragment) => (title === name ? '' : title),
  },
  text('weightGrams', grams, {
    section: 'basics',
    label: 'Weight in grams',
    noun: 'weight',
    isOptional: 'new',
    problem: texts.invalidWeight,
    note: 'Of one piece, packed.',
  }),
  text('price', amount, { section: 'pricing', label: 'Price', problem: texts.invalidPrice }),
  text('discountedPrice', optionalAmount, {
    section: 'pricing',
    label: 'Discounted price',
    isOptional: true,
    problem: texts.invalidDiscountedPrice,
    note: 'Optional.',
  }),
  text('discountStartsAt', moment, {
    section: 'pricing',
    label: 'Discount starts',
    noun: 'discount start',
    isOptional: true,
    problem: texts.invalidMoment,
    note: 'Optional. By the shop’s clock.',
  }),
  text('discountEndsAt', moment, {
    section: 'pricing',
    label: 'Discount ends',
    noun: 'discount end',
    isOptional: true,
    problem: texts.invalidMoment,
    note: 'Optional. By the shop’s clock.',
  }),
] as const;

export type TextName = (typeof textFields)[number]['name'];
