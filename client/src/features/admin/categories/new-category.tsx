import * as v from 'valibot';
import { useSentForm } from '~/graphql/use-sent-form';
import { Field, Select } from '~/ui/field';
import { FormEnd } from '~/ui/form-end';
import { toast } from '~/ui/toast';
import {
  type DepartmentRowFragment,
  useCreateCategoryMutation,
  useCreateDepartmentMutation,
} from './categories.generated';
import styles from './categories.module.css';
import { hyphenated } from './draft';
import { texts } from './texts';

interface NewProps {
  departments: readonly DepartmentRowFragment[];
  /** `key` is that of the new one. */
  onCreated: (departments: readonly DepartmentRowFragment[], key: string) => void;
  onCancel: () => void;
}

const words = { name: v.string(), heading: v.string(), key: v.string(), slug: v.string() };
const empty = { name: '', heading: '', key: '', slug: '' };
const NEW = '';

type Words = typeof empty;

const keyOf = ({ name, key }: Words) => key.trim() || hyphenated(name);
const slugOf = (typed: Words) => typed.slug.trim() || keyOf(typed);

const departmentRules = v.object(words);

/** A department of a name, a heading and an address. */
export function NewDepartment({ onCreated, onCancel }: NewProps) {
  const [create] = useCreateDepartmentMutation();
  const { field, getValues, isSending, onSubmit, refusal, watch } = useSentForm({
    rules: departmentRules,
    defaultValues: empty,
    send: async (typed) => {
      const { name, heading } = typed;
      return create({ variables: { key: keyOf(typed), input: { name, heading, slug: slugOf(typed) } } });
    },
    done: 'CategoriesChanged',
    onDone(answer) {
      toast.success(texts.added(getValues('name')));
      onCreated(answer.departments, keyOf(getValues()));
    },
    otherwise: texts.notSaved,
  });
  const typed = watch();
  return (
    <form className={styles.form} noValidate onSubmit={onSubmit}>
      <Field label={texts.name} {...field('name')} note={texts.nameAbout} autoComplete="off" />
      <Field label={texts.heading} {...field('heading')} note={texts.headingAbout} autoComplete="off" />
      <Field label={texts.key} {...field('key')} note={texts.keyAbout(hyphenated(typed.name))} autoComplete="off" />
      <Field label={texts.address} {...field('slug')} note={texts.addressAbout(keyOf(typed))} autoComplete="off" />
      <FormEnd refusal={refusal} submit={texts.add} working={isSending && texts.adding} onCancel={onCancel} />
    </form>
  );
}

const categoryRules = v.object({ ...words, department: v.string(), kind: v.string() });

/** Kinds of clothing that a department has no category of. */
function kindsWithout(departments: readonly DepartmentRowFragment[], department: string) {
  const kinds = new Map(departments.flatMap(({ categories }) => categories.map(({ kind }) => [kind.key, kind])));
  const own = departments.find(({ key }) => key === department)?.categories ?? [];
  for (const { kind } of own) kinds.delete(kind.key);
  return [...kinds.values()];
}

function useNewCategory({ departments, onCreated }: NewProps) {
  const [create] = useCreateCategoryMutation();
  const form = useSentForm({
    rules: categoryRules,
    defaultValues: { ...empty, department: departments[0]?.key ?? '', kind: NEW },
    send: async (typed) => {
      const { department, kind, name, heading } = typed;
      const input = { name, heading, slug: slugOf({ ...typed, key: kind || typed.key }), measurementPoints: [] };
      return create({ variables: { department, kind: kind || keyOf(typed), input } });
    },
    done: 'CategoriesChanged',
    onDone(answer) {
      const typed = form.getValues();
      toast.success(texts.added(typed.name));
      onCreated(answer.departments, `${typed.department}_${typed.kind || keyOf(typed)}`);
    },
    otherwise: texts.notSaved,
    // The kind is chosen or, where it is new, typed as its key; that there are too many belongs to no field.
    fields: { kind: 'name', key: 'root' },
  });
  return form;
}

/** A kind of clothing in a department; the kind may be a new one. */
export function NewCategory(props: NewProps) {
  const { field, getValues, isSending, onSubmit, refusal, setValue, watch } = useNewCategory(props);
  const typed = watch();
  const kinds = kindsWithout(props.departments, typed.department);

  function choose(key: string) {
    const kind = kinds.find((one) => one.key === key);
    if (kind && !getValues('name')) setValue('name', kind.name);
  }

  const kindField = field('kind');
  return (
    <form className={styles.form} noValidate onSubmit={onSubmit}>
      <Select label={texts.department} {...field('department')}>
        {props.departments.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        label={texts.kind}
        {...kindField}
        onChange={(event) => {
          void kindField.onChange(event);
          choose(event.target.value);
        }}
      >
        <option value={NEW}>{texts.newKind}</option>
        {kinds.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </Select>
      <Field label={texts.name} {...field('name')} note={texts.nameAbout} autoComplete="off" />
      {typed.kind === NEW && (
        <Field label={texts.key} {...field('key')} note={texts.keyAbout(hyphenated(typed.name))} autoComplete="off" />
      )}
      <Field
        label={texts.address}
        {...field('slug')}
        note={texts.addressAbout(typed.kind || keyOf(typed))}
        autoComplete="off"
      />
      <FormEnd refusal={refusal} submit={texts.add} working={isSending && texts.adding} onCancel={props.onCancel} />
    </form>
  );
}
