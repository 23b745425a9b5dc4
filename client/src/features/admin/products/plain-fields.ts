import { texts } from './texts';
import type { UpdateProductInput } from '~/graphql/schema.generated';
import type { ProductDraft } from './product-draft';
import { problemIf, type ProductField } from './product-field';
import { type TextField, textFields, type TextName } from './text-fields';

function textField(declared: TextField<TextName>): ProductField {
  const { name, noun, isOptional, problem, isValid, format } = declared;
  return {
    names: [name],
    parts: [name],
    read: (product, timeZone) => ({ [name]: declared.read(product, timeZone) }),
    problems(draft, product) {
      const isRequired = isOptional === 'new' ? product !== null : !isOptional;
      return problemIf(draft[name].trim() ? !isValid(draft[name]) : isRequired, name, problem);
    },
    changes(base, draft) {
      if (base[name].trim() === draft[name].trim()) return [];
      return [{ key: name, label: noun, ...(format && { from: format(base[name]), to: format(draft[name]) }) }];
    },
    edit: (draft, { product, timeZone }) => ({ [name]: declared.send(draft[name], product, timeZone) }),
    create: (draft, timeZone) => ({ [name]: declared.send(draft[name], null, timeZone) }),
  };
}

/** A discount that ends before it starts is a problem of its end, and either moment answers it. */
function withWindow(field: ProductField): ProductField {
  return {
    ...field,
    answeredBy: ['discountStartsAt', 'discountEndsAt'],
    problems(draft, product) {
      const { discountStartsAt: start, discountEndsAt: end } = draft;
      return {
        ...field.problems(draft, product),
        ...problemIf(Boolean(start && end) && end <= start, 'discountEndsAt', texts.windowTurned),
      };
    },
  };
}

export const fieldsOfText = textFields.map((declared) => {
  const field = textField(declared);
  return declared.name === 'discountEndsAt' ? withWindow(field) : field;
});

interface Choice<Name extends 'gender' | 'subcategory'> {
  name: Name;
  noun: string;
  names: ProductField['names'];
  message: string;
}

/** The category's key. */
function category({ gender, subcategory }: ProductDraft): Pick<UpdateProductInput, 'category'> {
  if (!gender || !subcategory) throw new TypeError('Checked drafts have a category.');
  return { category: `${gender}_${subcategory}` };
}

function choice<Name extends 'gender' | 'subcategory'>({ name, noun, names, message }: Choice<Name>): ProductField {
  return {
    names,
    parts: [name],
    read: ({ category: { department, kind } }) => ({ [name]: name === 'gender' ? department.key : kind.key }),
    problems: (draft) => problemIf(draft[name] === '', name, message),
    changes: (base, draft) =>
      base[name] === draft[name] ? [] : [{ key: name, label: noun, from: base[name], to: draft[name] }],
    edit: category,
    create: category,
  };
}

export const genderField = choice({
  name: 'gender',
  noun: 'gender',
  names: ['gender'],
  message: texts.genderRequired,
});

export const categoryField = choice({
  name: 'subcategory',
  noun: 'category',
  names: ['subcategory', 'category'],
  message: texts.categoryRequired,
});

const withoutKeys = ({ details }: ProductDraft) => details.map(({ label, text }) => ({ label, text }));

export const detailsField: ProductField = {
  names: ['details'],
  parts: ['details'],
  read: (product) => ({ details: product.details.map((detail, at) => ({ ...detail, key: String(at) })) }),
  problems: ({ details }) =>
    problemIf(
      details.some(({ label, text }) => !label.trim() || !text.trim()),
      'details',
      texts.detailIncomplete,
    ),
  changes: (base, draft) =>
    JSON.stringify(withoutKeys(base)) === JSON.stringify(withoutKeys(draft))
      ? []
      : [{ key: 'details', label: 'details' }],
  edit: (draft) => ({ details: withoutKeys(draft) }),
  create: (draft) => ({ details: withoutKeys(draft) }),
};
