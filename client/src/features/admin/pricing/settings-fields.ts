import * as v from 'valibot';
import { parseWhole } from '~/ui/amount';
import { typed } from '~/ui/typed';
import type { SettingsWholeFragment } from './pricing.generated';

/** How a setting is entered, with the rule of what is typed. */
const controls = {
  lines: v.string(),
  text: v.string(),
  email: v.string(),
  number: typed(parseWhole, 'A whole number'),
  zone: v.string(),
  checkbox: v.boolean(),
};

type Control = keyof typeof controls;

/** Parts of the form, with their titles. */
export const settingGroups = { seller: 'Shop and seller', orders: 'Orders and returns', shop: 'Stock, days and tax' };

interface SettingField {
  group: keyof typeof settingGroups;
  control: Control;
  label: string;
  about: string;
}

/** The settings that an owner changes, in the order of their form, by their names in `ShopSettings`. */
export const settingFields = {
  name: {
    group: 'seller',
    control: 'text',
    label: 'Name of the shop',
    about: 'In the header, in titles of pages and in the product feed.',
  },
  accentColor: {
    group: 'seller',
    control: 'text',
    label: 'Color of buttons',
    about: 'Like #2f4e7d. Dark pages take a lighter tint of it; empty is black and white.',
  },
  seller: {
    group: 'seller',
    control: 'lines',
    label: 'Seller',
    about: 'Name and address on invoices and packing slips, line by line.',
  },
  vatNumber: {
    group: 'seller',
    control: 'text',
    label: 'VAT number',
    about: 'Yours, as on invoices.',
  },
  contactEmail: {
    group: 'seller',
    control: 'email',
    label: 'Contact e-mail',
    about: 'Where shoppers reach you; the contact page names it.',
  },
  cancelMinutes: {
    group: 'orders',
    control: 'number',
    label: 'Minutes to cancel',
    about: 'How long after payment a shopper may call an order off.',
  },
  returnDays: {
    group: 'orders',
    control: 'number',
    label: 'Days to return',
    about: 'How long a shopper may ask to send pieces back.',
  },
  lowStockThreshold: {
    group: 'shop',
    control: 'number',
    label: 'Low stock at',
    about: 'At so few pieces or fewer an item is on the low-stock list.',
  },
  timeZone: {
    group: 'shop',
    control: 'zone',
    label: 'Time zone',
    about: 'Days of reports, filters, invoices and files are its.',
  },
  pricesIncludeTax: {
    group: 'shop',
    control: 'checkbox',
    label: 'Prices have the tax in them',
    about: 'Otherwise checkout adds it. Orders that were placed stay as they are.',
  },
} as const satisfies Partial<Record<keyof SettingsWholeFragment, SettingField>>;

type SettingFields = typeof settingFields;
export type SettingName = keyof SettingFields;
type Entries = {
  [Name in SettingName]: (typeof controls)[SettingFields[Name]['control']];
};

export const settingNames = Object.keys(settingFields) as SettingName[];

export const settingsRules = v.object(
  Object.fromEntries(settingNames.map((name) => [name, controls[settingFields[name].control]])) as Entries,
);

type Typed = v.InferInput<typeof settingsRules>;

/** The settings as their form shows them. */
export function settingsTyped(settings: SettingsWholeFragment): Typed {
  const shown = (name: SettingName) =>
    settingFields[name].control === 'number' ? String(settings[name]) : settings[name];
  return Object.fromEntries(settingNames.map((name) => [name, shown(name)])) as Typed;
}

const emptied = (value: string | number | boolean | null) => (value === '' ? null : value);

/** What changed, as the schema takes it; an emptied field goes back to what the environment says. */
export function settingsChanges(form: v.InferOutput<typeof settingsRules>, saved: SettingsWholeFragment) {
  const changed = settingNames.filter((name) => emptied(form[name]) !== emptied(saved[name]));
  return Object.fromEntries(changed.map((name) => [name, emptied(form[name])]));
}
