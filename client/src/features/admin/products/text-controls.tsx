import { Field, TextArea } from '~/ui/field';
import styles from './product-form.module.css';
import { type TextField, textFields, type TextName } from './text-fields';
import type { ProductForm } from './use-product-draft';

function noteOf({ note, isOptional }: TextField, typed: string, isNew: boolean) {
  const words = typeof note === 'function' ? note(typed) : note;
  return isNew && isOptional === 'new' ? `Optional. ${words ?? ''}` : words;
}

interface TextControlProps {
  field: TextField<TextName>;
  form: ProductForm;
}

function TextControl({ field, form: { product, draft, edit, problems } }: TextControlProps) {
  const { name, label, control, attributes } = field;
  const value = draft[name];
  const { start, ...input } = attributes;
  const props = {
    ...input,
    label,
    value,
    error: problems[name],
    note: noteOf(field, value, product === null),
    onChange: ({ target }: { target: { value: string } }) => edit({ [name]: target.value }),
  };
  return control === 'area' ? (
    <div className={styles.wide}>
      <TextArea {...props} />
    </div>
  ) : (
    <Field {...props} start={start} />
  );
}

/** The text fields of one section. */
export function TextControls({ section, form }: { section: TextField['section']; form: ProductForm }) {
  const shown = textFields.filter((field) => field.section === section);
  return shown.map((field) => <TextControl key={field.name} field={field} form={form} />);
}
