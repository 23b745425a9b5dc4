import { useEffect, useState } from 'react';
import { useSentForm } from '~/graphql/use-sent-form';
import { toast } from '~/ui/toast';
import {
  type DepartmentRowFragment,
  useUpdateCategoryMutation,
  useUpdateDepartmentMutation,
} from './categories.generated';
import { changesBetween, type Draft, draftOf, draftRules, isCategory, rebase, type Row } from './draft';
import { texts } from './texts';

/** A department or a category among all of them. */
export function findRow(departments: readonly DepartmentRowFragment[], key: string): Row | undefined {
  return departments
    .flatMap((department): Row[] => [department, ...department.categories])
    .find((row) => row.key === key);
}

interface EditingOptions {
  row: Row;
  onChanged: (departments: readonly DepartmentRowFragment[]) => void;
}

function useUpdate() {
  const [updateCategory] = useUpdateCategoryMutation();
  const [updateDepartment] = useUpdateDepartmentMutation();
  return async (row: Row, draft: Draft) => {
    const { name, heading, slug, isHidden, measurementPoints, sizeSystem, ...rest } = draft;
    const { description, picture, gender, ageGroup } = rest;
    const { key, version } = row;
    const words = { name, heading, slug, isHidden };
    const ofCategory = { ...words, measurementPoints, sizeSystem, description, imageId: picture?.id ?? null };
    const ofDepartment = { ...words, gender: gender || null, ageGroup };
    return isCategory(row)
      ? updateCategory({ variables: { key, version, input: ofCategory } })
      : updateDepartment({ variables: { key, version, input: ofDepartment } });
  };
}

/**
 * The form of a department or a category, as it was when the form was opened or last saved: another admin's later
 * change is refused by the server and kept as `conflict`, until `resolve` lays mine over theirs or drops mine.
 */
export function useEditing({ row, onChanged }: EditingOptions) {
  const [base, setBase] = useState(row);
  const [conflict, setConflict] = useState<Row | null>(null);
  const update = useUpdate();
  const form = useSentForm({
    rules: draftRules,
    defaultValues: draftOf(row),
    send: (draft) => update(base, draft),
    done: ['CategoriesChanged', 'CategoriesChangedMeanwhile'],
    onDone({ __typename, departments }) {
      const now = findRow(departments, base.key);
      onChanged(departments);
      if (now && __typename === 'CategoriesChangedMeanwhile') return setConflict(now);
      if (now) begin(now);
      toast.success(texts.saved(now?.name ?? base.name));
    },
    otherwise: texts.notSaved,
    fields: { imageId: 'picture' },
  });
  const draft = form.watch();
  const changes = changesBetween(draftOf(base), draft);
  const isClean = changes.length === 0;
  const { reset } = form;

  function begin(now: Row, next = draftOf(now)) {
    setBase(now);
    reset(next);
  }

  function resolve(keepMine: boolean) {
    if (conflict) begin(conflict, keepMine ? rebase(draftOf(base), draft, draftOf(conflict)) : undefined);
    setConflict(null);
  }

  // What others have changed is shown at once where nothing of mine would be lost.
  useEffect(() => {
    if (!isClean || row.version === base.version) return;
    // oxlint-disable-next-line react/set-state-in-effect -- The form is reset together with what it began from.
    setBase(row);
    reset(draftOf(row));
  }, [isClean, row, base.version, reset]);

  return {
    ...form,
    base,
    draft,
    changes,
    conflict,
    /** What another admin has saved since the form was opened. */
    theirs: conflict ? changesBetween(draftOf(base), draftOf(conflict)) : [],
    resolve,
    undo: () => begin(base),
  };
}

export type Editing = ReturnType<typeof useEditing>;
