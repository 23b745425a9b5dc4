import * as v from 'valibot';
import { useSentForm } from '~/graphql/use-sent-form';
import { Field } from '~/ui/field';
import { FormEnd } from '~/ui/form-end';
import { type PageRowFragment, useCreatePageMutation } from './content.generated';
import styles from './content.module.css';
import { texts } from './texts';

const rules = v.object({ title: v.string(), key: v.string() });
const LONGEST_KEY = 60;

/** "our-cotton" of "Our cotton!". */
export const keyOf = (title: string): string =>
  title
    .normalize('NFD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_KEY)
    .replace(/^-|-$/g, '');

interface NewPageFormProps {
  onCreated: (page: PageRowFragment) => void;
  onCancel: () => void;
}

/** Begins a page: its title, and the address that follows from it until another is typed. */
export function NewPageForm({ onCreated, onCancel }: NewPageFormProps) {
  const [createPage] = useCreatePageMutation();
  const form = useSentForm({
    rules,
    defaultValues: { title: '', key: '' },
    send: (input) => createPage({ variables: { input } }),
    done: 'EditablePage',
    onDone: onCreated,
    success: texts.created,
    otherwise: texts.notSaved,
  });
  const { dirtyFields } = form.formState;
  const title = form.register('title', {
    onChange: ({ target }: { target: { value: string } }) => {
      if (!dirtyFields.key) form.setValue('key', keyOf(target.value));
    },
  });
  return (
    <form className={styles.dialog} noValidate onSubmit={form.onSubmit}>
      <Field {...title} label={texts.pageTitle} error={form.errorOf('title')} maxLength={120} />
      <Field {...form.field('key')} label={texts.address} start="/pages/" note={texts.addressNote} />
      <FormEnd
        refusal={form.refusal}
        submit={texts.create}
        working={form.isSending && texts.creating}
        onCancel={onCancel}
      />
    </form>
  );
}
