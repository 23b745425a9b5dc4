import { Field, TextArea } from '~/ui/field';
import styles from './product-form.module.css';
import { type TextField, textFields, type TextName } from './text-fields';
import type { ProductForm } from './use-product-draft';

type Form = Pick<ProductForm, 'draft' | 'edit' | 'problems'>;

function TextControl({ field, draft, edit, problems }: Form & { field: TextField<TextName> }) {
  const { name, label, note, control, attributes } = field;
  const value = draft[name];
  const { start, ...input } = attributes;
  const props = {
    ...input,
    label,
    value,
    error: problems[name],
    note: typeof note === 'function' ? note(value) : note,
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
  return shown.map((field) => (
    <TextControl key={field.name} field={field} draft={form.draft} edit={form.edit} problems={form.problems} />
  ));
}
