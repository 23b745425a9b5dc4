import * as v from 'valibot';
import { useSentForm } from '~/graphql/use-sent-form';
import { Dialog } from '~/ui/dialog';
import { Select } from '~/ui/field';
import { FormEnd } from '~/ui/form-end';
import { toast } from '~/ui/toast';
import {
  type CategoryRowFragment,
  type DepartmentRowFragment,
  useMergeCategoriesMutation,
} from './categories.generated';
import styles from './categories.module.css';
import { texts } from './texts';

interface MergeFormProps {
  category: CategoryRowFragment;
  departments: readonly DepartmentRowFragment[];
  /** `into` is the key of the category that has its products now. */
  onMerged: (departments: readonly DepartmentRowFragment[], into: string) => void;
  onClose: () => void;
}

const rules = v.object({ into: v.string() });

function MergeForm({ category, departments, onMerged, onClose }: MergeFormProps) {
  const [merge] = useMergeCategoriesMutation();
  const groups = departments.map(({ name, categories }) => ({
    name,
    others: categories.filter(({ key }) => key !== category.key),
  }));
  const { field, getValues, isSending, onSubmit, refusal } = useSentForm({
    rules,
    defaultValues: { into: groups.flatMap(({ others }) => others)[0]?.key ?? '' },
    send: async ({ into }) => merge({ variables: { key: category.key, into } }),
    done: 'CategoriesChanged',
    onDone(answer) {
      toast.success(texts.merged(category.name));
      onMerged(answer.departments, getValues('into'));
    },
    otherwise: texts.notSaved,
  });
  return (
    <form className={styles.form} noValidate onSubmit={onSubmit}>
      <Select label={texts.into} {...field('into')}>
        {groups
          .filter(({ others }) => others.length > 0)
          .map(({ name, others }) => (
            <optgroup key={name} label={name}>
              {others.map((other) => (
                <option key={other.key} value={other.key}>
                  {other.name}
                </option>
              ))}
            </optgroup>
          ))}
      </Select>
      <p>{texts.mergeAbout(category.productCount, category.path)}</p>
      <FormEnd
        danger
        refusal={refusal}
        submit={texts.merge}
        working={isSending && texts.merging}
        cancel={texts.cancel}
        onCancel={onClose}
      />
    </form>
  );
}

/** Moves all products of a category into another one, which stays. */
export function MergeDialog({ open, ...props }: MergeFormProps & { open: boolean }) {
  return (
    <Dialog open={open} title={texts.mergeTitle(props.category.name)} onClose={props.onClose}>
      <MergeForm {...props} />
    </Dialog>
  );
}
