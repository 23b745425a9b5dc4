import * as v from 'valibot';
import { useSentForm } from '~/graphql/use-sent-form';
import { Dialog } from '~/ui/dialog';
import { Field } from '~/ui/field';
import { FormEnd } from '~/ui/form-end';
import { type CategoryRowFragment, type DepartmentRowFragment, useRenameKindMutation } from './categories.generated';
import styles from './categories.module.css';
import { texts } from './texts';

interface KindFormProps {
  kind: CategoryRowFragment['kind'];
  onChanged: (departments: readonly DepartmentRowFragment[]) => void;
  onClose: () => void;
}

const rules = v.object({ name: v.string() });

function KindForm({ kind, onChanged, onClose }: KindFormProps) {
  const [rename] = useRenameKindMutation();
  const { field, isSending, onSubmit, refusal } = useSentForm({
    rules,
    defaultValues: { name: kind.name },
    send: async ({ name }) => rename({ variables: { key: kind.key, name } }),
    done: 'CategoriesChanged',
    onDone({ departments }) {
      onChanged(departments);
      onClose();
    },
    success: texts.kindRenamed,
    otherwise: texts.notSaved,
  });
  return (
    <form className={styles.form} noValidate onSubmit={onSubmit}>
      <Field label={texts.kind} {...field('name')} note={texts.kindAbout} autoComplete="off" />
      <FormEnd refusal={refusal} submit={texts.renameKind} working={isSending && texts.saving} onCancel={onClose} />
    </form>
  );
}

/** Renames a kind of clothing for searches and reports; each category keeps its own name. */
export function KindDialog({ open, ...props }: KindFormProps & { open: boolean }) {
  return (
    <Dialog open={open} title={texts.renameKind} onClose={props.onClose}>
      <KindForm {...props} />
    </Dialog>
  );
}
