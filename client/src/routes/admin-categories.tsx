import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import {
  type DepartmentRowFragment,
  useMoveCategoryMutation,
  useMoveDepartmentMutation,
} from '~/features/admin/categories/categories.generated';
import styles from '~/features/admin/categories/categories.module.css';
import { CategoryActs } from '~/features/admin/categories/category-acts';
import { CategoryEditor } from '~/features/admin/categories/category-editor';
import { CategoryTree, type OnMove } from '~/features/admin/categories/category-tree';
import { isCategory, neighbourAfter, type Row } from '~/features/admin/categories/draft';
import { NewCategory, NewDepartment } from '~/features/admin/categories/new-category';
import { texts } from '~/features/admin/categories/texts';
import { findRow } from '~/features/admin/categories/use-editing';
import { Panel, PrivilegeNote } from '~/features/admin/panel';
import { reorder } from '~/features/admin/reorder';
import { texts as admin } from '~/features/admin/texts';
import { failure } from '~/graphql/list-page';
import { toResult } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog';
import { Link } from '~/ui/link';
import { toast } from '~/ui/toast';
import { useAdminCategoriesQuery } from './admin-categories.generated';
import type { AdminViewer } from './admin-viewer';

type Departments = readonly DepartmentRowFragment[];

const HERE = '/admin/categories';
const NOTE = 'categories-privileges';

/** All departments, which every answer to a change brings anew. */
function useDepartments() {
  const { data, error, refetch, updateQuery } = useAdminCategoriesQuery({ fetchPolicy: 'cache-and-network' });
  const { cache } = useApolloClient();

  function show(departments: Departments) {
    updateQuery((_, { complete, previousData }) =>
      complete && previousData.admin
        ? { ...previousData, admin: { ...previousData.admin, departments: [...departments] } }
        : undefined,
    );
    cache.evict({ id: 'ROOT_QUERY', fieldName: 'categories' });
  }

  const { departments } = data?.admin ?? {};
  const { sizeSystems = [] } = data?.admin ?? {};
  const imageTypes = data?.shop.imageTypes ?? [];
  return { departments, imageTypes, sizeSystems, error, refetch: () => void refetch(), show };
}

/** Moves a department, or a category within its department: at once here, then at the server. */
function useMove(departments: Departments, show: (departments: Departments) => void, refetch: () => void): OnMove {
  const [moveCategory] = useMoveCategoryMutation();
  const [moveDepartment] = useMoveDepartmentMutation();

  async function move(among: readonly Row[], key: string, onto: string) {
    const order = reorder(among, key, onto);
    const before = neighbourAfter(
      order.map((row) => row.key),
      key,
    );
    const placeOf = (row: Row) => order.findIndex((one) => one.key === row.key);
    const inPlace = <One extends Row>(rows: readonly One[]) => rows.toSorted((a, b) => placeOf(a) - placeOf(b));
    const variables = { key, before };
    const isOfCategory = among.some(isCategory);
    show(
      isOfCategory ? departments.map((one) => ({ ...one, categories: inPlace(one.categories) })) : inPlace(departments),
    );
    const { data, message } = isOfCategory
      ? await toResult(moveCategory({ variables }))
      : await toResult(moveDepartment({ variables }));
    const [answer] = Object.values(data ?? {});
    if (answer?.__typename === 'CategoriesChanged') return show(answer.departments);
    toast.error(message ?? texts.notMoved);
    refetch();
  }

  return (...moved) => void move(...moved);
}

/** What is being edited; once another admin has deleted it, as it was, so that nothing that was typed is lost. */
function useOpened(departments: Departments, key: string) {
  const row = findRow(departments, key);
  const [last, setLast] = useState(row);
  if (row && row !== last) setLast(row);
  return { row: row ?? (last?.key === key ? last : undefined), isGone: !row };
}

type New = 'department' | 'category';

function Additions({ departments, allowed, onCreated }: AdditionsProps) {
  const [open, setOpen] = useState<New | null>(null);
  const form = { departments, onCreated, onCancel: () => setOpen(null) };
  const created: AdditionsProps['onCreated'] = (...answer) => {
    setOpen(null);
    onCreated(...answer);
  };
  return (
    <>
      <div className={styles.acts}>
        <Button small disabled={!allowed} onClick={() => setOpen('department')}>
          {texts.newDepartment}
        </Button>
        <Button small disabled={!allowed || departments.length === 0} onClick={() => setOpen('category')}>
          {texts.newCategory}
        </Button>
      </div>
      <Dialog open={open === 'department'} title={texts.newDepartment} onClose={form.onCancel}>
        <NewDepartment {...form} onCreated={created} />
      </Dialog>
      <Dialog open={open === 'category'} title={texts.newCategory} onClose={form.onCancel}>
        <NewCategory {...form} onCreated={created} />
      </Dialog>
    </>
  );
}

interface AdditionsProps {
  departments: Departments;
  allowed: boolean;
  onCreated: (departments: Departments, key: string) => void;
}

interface OpenedProps {
  imageTypes: readonly string[];
  sizeSystems: readonly { key: string; name: string }[];
  departments: Departments;
  opened: string;
  allowed: boolean;
  onMove: OnMove;
  onChanged: (departments: Departments) => void;
  onGone: (departments: Departments, next?: string) => void;
}

function Opened({ departments, imageTypes, sizeSystems, opened, allowed, onMove, onChanged, onGone }: OpenedProps) {
  const { row, isGone } = useOpened(departments, opened);
  if (!row) return <p className={styles.hint}>{opened ? texts.missing : texts.choose}</p>;
  const department = departments.find(({ categories }) => categories.some(({ key }) => key === row.key));
  return (
    <CategoryEditor
      key={row.key}
      row={row}
      department={department ?? null}
      imageTypes={imageTypes}
      sizeSystems={sizeSystems}
      isGone={isGone}
      allowed={allowed}
      onChanged={onChanged}
      renderActs={(isDirty) =>
        allowed &&
        !isGone && (
          <CategoryActs
            row={row}
            departments={departments}
            isDirty={isDirty}
            onMove={onMove}
            onChanged={onChanged}
            onGone={onGone}
          />
        )
      }
    />
  );
}

/** What shoppers browse by: departments and their categories, as a tree, and one of them beside it to be edited. */
export default function CategoriesScreen({ viewer }: { viewer: AdminViewer }) {
  const { categoryKey = '' } = useParams();
  const navigate = useNavigate();
  const { departments, imageTypes, sizeSystems, error, refetch, show } = useDepartments();
  const move = useMove(departments ?? [], show, refetch);
  const allowed = viewer.isPrimaryAdmin;

  function follow(changed: Departments, key = '') {
    show(changed);
    void navigate(key ? `${HERE}/${key}` : HERE);
  }

  return (
    <Panel
      title={texts.title}
      waiting={texts.waiting}
      failed={!departments && failure(error, texts.failed)}
      onRetry={refetch}
      aside={departments && <Additions departments={departments} allowed={allowed} onCreated={follow} />}
    >
      {departments && (
        <div>
          <p className={`small ${styles.way}`}>
            <Link to="/admin?tab=products" className="link">
              {admin.productControl}
            </Link>
            {categoryKey && (
              <span className={styles.back}>
                {' / '}
                <Link to={HERE} className="link">
                  {texts.back}
                </Link>
              </span>
            )}
          </p>
          <PrivilegeNote id={NOTE} allowed={allowed} />
          <div className={styles.columns} data-open={categoryKey || undefined}>
            <CategoryTree departments={departments} current={categoryKey} allowed={allowed} onMove={move} />
            <Opened
              departments={departments}
              imageTypes={imageTypes}
              sizeSystems={sizeSystems}
              opened={categoryKey}
              allowed={allowed}
              onMove={move}
              onChanged={show}
              onGone={follow}
            />
          </div>
        </div>
      )}
    </Panel>
  );
}
