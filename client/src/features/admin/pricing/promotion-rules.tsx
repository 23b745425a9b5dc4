import type { ReactNode } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import type * as v from 'valibot';
import type { PromotionActionInput, PromotionConditionsInput } from '~/graphql/schema.generated';
import { parseAmount, parseWhole } from '~/ui/amount';
import { Field } from '~/ui/field';
import { formatPrice } from '~/ui/price';
import { needed, typed } from '~/ui/typed';
import type { DiscountCodeRowFragment } from './pricing.generated';

type Action = NonNullable<DiscountCodeRowFragment['action']>;
type Condition = DiscountCodeRowFragment['conditions'][number];
export type ActionKind = Action['__typename'];

/** A field by the name that its parameter has in the schema: how its text is read, and its input. */
interface RuleField {
  rule: v.GenericSchema<string, unknown>;
  input: (field: UseFormRegisterReturn & { error: string | undefined; autoComplete: string }) => ReactNode;
}

interface RuleForm<Rule> {
  /** One for each parameter. A condition whose fields are all empty is none. */
  fields: { [Name in Exclude<keyof Rule, '__typename'>]: RuleField };
  /** What it says in the list of codes. */
  words: (rule: Rule) => string;
}

type RuleForms<Rule extends { __typename: string }, More = unknown> = {
  [Kind in Rule['__typename']]: RuleForm<Extract<Rule, { __typename: Kind }>> & More;
};

/** What a promotion takes off: an entry for each action of the schema, with what it is called among the others. */
export const actionForms: RuleForms<Action, { label: string }> = {
  PercentOff: {
    label: 'Percent',
    fields: {
      percent: {
        rule: needed(parseWhole, '1 to 100'),
        input: (field) => <Field label="Percent off" inputMode="decimal" {...field} />,
      },
    },
    words: ({ percent }) => `${percent}% off`,
  },
  AmountOff: {
    label: 'Amount',
    fields: {
      amount: {
        rule: needed(parseAmount, 'An amount such as 5.00'),
        input: (field) => <Field label="Dollars off" inputMode="decimal" {...field} />,
      },
    },
    words: ({ amount }) => `${formatPrice(amount)} off`,
  },
};

/** Which carts and lines it is for: an entry for each condition of the schema. */
export const conditionForms: RuleForms<Condition> = {
  MinSubtotal: {
    fields: {
      minSubtotal: {
        rule: typed(parseAmount, 'An amount such as 50.00'),
        input: (field) => (
          <Field label="From a subtotal of" inputMode="decimal" start="$" {...field} note="Empty: any." />
        ),
      },
    },
    words: ({ minSubtotal }) => `From ${formatPrice(minSubtotal)}.`,
  },
};

/** The forms without what one kind has and another has not. */
export const actionEntries = Object.entries(actionForms) as [ActionKind, { label: string; fields: Fields }][];
export const conditionEntries = Object.entries(conditionForms) as [string, { fields: Fields }][];
export type Fields = Readonly<Record<string, RuleField>>;

/** A rule in words, by the form of its own kind. */
export function actionWords(action: Action): string {
  return (actionForms[action.__typename].words as (rule: Action) => string)(action);
}

export function conditionWords(condition: Condition): string {
  return (conditionForms[condition.__typename].words as (rule: Condition) => string)(condition);
}

/** Of a rule, the member of an input and the values of its fields. */
const inputOf = (kind: string, fields: Fields, ready: Readonly<Record<string, unknown>>) =>
  [
    kind.charAt(0).toLowerCase() + kind.slice(1),
    Object.fromEntries(Object.keys(fields).map((name) => [name, ready[name]])),
  ] as const;

/** The action of a form, as the schema takes it: its fields are those of the kind, each read by its rule. */
export function actionInput(kind: ActionKind, ready: Readonly<Record<string, unknown>>) {
  return Object.fromEntries([inputOf(kind, actionForms[kind].fields, ready)]) as unknown as PromotionActionInput;
}

/** The conditions of a form, as the schema takes them. */
export function conditionsInput(ready: Readonly<Record<string, unknown>>): PromotionConditionsInput {
  const rules = conditionEntries.map(([kind, { fields }]) => inputOf(kind, fields, ready));
  return Object.fromEntries(rules.filter(([, values]) => Object.values(values).some((value) => value !== null)));
}
