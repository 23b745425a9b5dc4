import { useState } from 'react';
import { toResult } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { ConfirmDialog, Dialog } from '~/ui/dialog';
import { toast } from '~/ui/toast';
import {
  type DepartmentRowFragment,
  useDeleteCategoryMutation,
  useDeleteDepartmentMutation,
} from './categories.generated';
import styles from './categories.module.css';
import { isCategory, type Row } from './draft';
import { texts } from './texts';

interface DeleteDialogProps {
  row: Row;
  open: boolean;
  onDeleted: (departments: readonly DepartmentRowFragment[]) => void;
  onClose: () => void;
}

/** Why it cannot be deleted, as far as that is known here; the server counts those no longer sold as well. */
function obstacle(row: Row): string | null {
  if (!isCategory(row)) return row.categories.length > 0 ? texts.hasCategories(row.categories.length) : null;
  return row.productCount > 0 ? texts.notEmpty(row.productCount) : null;
}

function useDelete() {
  const [deleteCategory, { loading: ofCategory }] = useDeleteCategoryMutation();
  const [deleteDepartment, { loading: ofDepartment }] = useDeleteDepartmentMutation();

  async function remove(row: Row) {
    const variables = { key: row.key };
    const { data, message } = isCategory(row)
      ? await toResult(deleteCategory({ variables }))
      : await toResult(deleteDepartment({ variables }));
    const [answer] = Object.values(data ?? {});
    if (answer?.__typename === 'CategoriesChanged') return { departments: answer.departments };
    return { refusal: answer?.message ?? message ?? texts.notSaved };
  }

  return { remove, isDeleting: ofCategory || ofDepartment };
}

/** Deletes what is empty; of anything else it says why not. */
export function DeleteDialog({ row, open, onDeleted, onClose }: DeleteDialogProps) {
  const { remove, isDeleting } = useDelete();
  const [refusal, setRefusal] = useState<string | null>(null);
  const why = obstacle(row);
  const title = texts.deleteTitle(row.name);

  async function confirm() {
    const { departments, refusal: message } = await remove(row);
    if (!departments) return setRefusal(message);
    toast.success(texts.deleted(row.name));
    onDeleted(departments);
  }

  if (why) {
    return (
      <Dialog open={open} title={title} onClose={onClose}>
        <div className={styles.form}>
          <p>{why}</p>
          <Button small onClick={onClose}>
            {texts.close}
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      open={open}
      title={title}
      text={texts.deleteAbout(row.path)}
      confirm={texts.delete}
      refusal={refusal}
      working={isDeleting && texts.deleting}
      onConfirm={() => void confirm()}
      onClose={() => {
        setRefusal(null);
        onClose();
      }}
    />
  );
}
