import { useState } from 'react';
import type { DepartmentRowFragment } from './categories.generated';
import type { OnMove } from './category-tree';
import { DeleteDialog } from './delete-dialog';
import { isCategory, type Row } from './draft';
import { KindDialog } from './kind-dialog';
import { MergeDialog } from './merge-dialog';
import { texts } from './texts';

interface CategoryActsProps {
  row: Row;
  departments: readonly DepartmentRowFragment[];
  /** Something typed is not saved, which these would lose. */
  isDirty: boolean;
  onMove: OnMove;
  onChanged: (departments: readonly DepartmentRowFragment[]) => void;
  /** It is no longer there; `next` is the key of what has its products, if any. */
  onGone: (departments: readonly DepartmentRowFragment[], next?: string) => void;
}

type Act = 'merge' | 'delete' | 'kind';

function Moves({ row, departments, onMove }: Pick<CategoryActsProps, 'row' | 'departments' | 'onMove'>) {
  const among: readonly Row[] = isCategory(row)
    ? (departments.find(({ categories }) => categories.some(({ key }) => key === row.key))?.categories ?? [])
    : departments;
  const at = among.findIndex(({ key }) => key === row.key);
  return [
    { label: texts.moveUp, onto: among[at - 1] },
    { label: texts.moveDown, onto: at < 0 ? undefined : among[at + 1] },
  ].map(({ label, onto }) => (
    // A press that brings it to the end leaves the focus where it was.
    <button
      key={label}
      type="button"
      className="link small"
      aria-disabled={!onto}
      onClick={() => onto && onMove(among, row.key, onto.key)}
    >
      {label}
    </button>
  ));
}

/** What else can be done with a department or a category. */
export function CategoryActs({ row, departments, isDirty, onMove, onChanged, onGone }: CategoryActsProps) {
  const [act, setAct] = useState<Act | null>(null);
  const close = () => setAct(null);
  const opens = (which: Act, label: string) => (
    <button
      type="button"
      className="link small"
      disabled={isDirty}
      title={isDirty ? texts.firstSave : undefined}
      onClick={() => setAct(which)}
    >
      {label}
    </button>
  );
  return (
    <>
      <Moves row={row} departments={departments} onMove={onMove} />
      {isCategory(row) && opens('kind', texts.renameKind)}
      {isCategory(row) && opens('merge', texts.merge)}
      {opens('delete', texts.delete)}
      {isCategory(row) && (
        <>
          <KindDialog open={act === 'kind'} kind={row.kind} onChanged={onChanged} onClose={close} />
          <MergeDialog
            open={act === 'merge'}
            category={row}
            departments={departments}
            onMerged={onGone}
            onClose={close}
          />
        </>
      )}
      <DeleteDialog row={row} open={act === 'delete'} onDeleted={onGone} onClose={close} />
    </>
  );
}
