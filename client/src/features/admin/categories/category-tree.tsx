import { formatNumber } from '~/ui/format';
import { Link } from '~/ui/link';
import { Sortable, useSorted } from '~/features/admin/sortable';
import type { CategoryRowFragment, DepartmentRowFragment } from './categories.generated';
import styles from './categories.module.css';
import type { Row } from './draft';
import { texts } from './texts';

/** One of several takes the place of another of them. */
export type OnMove = (among: readonly Row[], key: string, onto: string) => void;

interface TreeProps {
  departments: readonly DepartmentRowFragment[];
  /** Key of what is being edited. */
  current: string | undefined;
  /** Only the owner may move them. */
  allowed: boolean;
  onMove: OnMove;
}

interface LineProps {
  row: Row;
  /** Of the products in it. */
  count: number;
  isCurrent: boolean;
  grip: React.ReactNode;
}

const countOf = (categories: readonly CategoryRowFragment[]) =>
  categories.reduce((sum, { productCount }) => sum + productCount, 0);

/** The address, and the heading above the page. */
const aboutOf = ({ path, heading }: Row) => [path, heading].filter(Boolean).join(', ');

function Line({ row, count, isCurrent, grip }: LineProps) {
  return (
    <div className={styles.line} data-hidden={row.isHidden || undefined}>
      {grip}
      <Link to={`/admin/categories/${row.key}`} className={styles.name} aria-current={isCurrent ? 'true' : undefined}>
        {row.name}
        <span className={styles.about}>{aboutOf(row)}</span>
      </Link>
      {row.isHidden && <span className={styles.about}>{texts.hidden}</span>}
      <span className={styles.count}>
        {formatNumber(count)} <span className="visually-hidden">{texts.productCount(count)}</span>
      </span>
    </div>
  );
}

type ItemProps<Of extends Row> = Omit<TreeProps, 'departments'> & { row: Of; among: readonly Of[] };

function useItem({ row, among, allowed, current }: ItemProps<Row>) {
  const place = among.findIndex(({ key }) => key === row.key) + 1;
  const { grip, item } = useSorted(row.key, { label: texts.move(row.name, place, among.length) });
  return { item, line: { row, isCurrent: row.key === current, grip: allowed && grip } };
}

function Category(props: ItemProps<CategoryRowFragment>) {
  const { item, line } = useItem(props);
  return (
    <li {...item}>
      <Line {...line} count={props.row.productCount} />
    </li>
  );
}

function Department(props: ItemProps<DepartmentRowFragment>) {
  const { item, line } = useItem(props);
  const { categories, name } = props.row;
  return (
    <li {...item}>
      <Line {...line} count={countOf(categories)} />
      {categories.length === 0 && <p className={styles.empty}>{texts.noCategory}</p>}
      <Sortable inRows items={categories} onMove={(key, onto) => props.onMove(categories, key, onto)}>
        <ol className={styles.categories} aria-label={name}>
          {categories.map((category) => (
            <Category {...props} key={category.key} row={category} among={categories} />
          ))}
        </ol>
      </Sortable>
    </li>
  );
}

/** Departments with their categories in the order of the menu, hidden ones as well. */
export function CategoryTree({ departments, ...rest }: TreeProps) {
  return (
    <div className={styles.tree}>
      <p className={styles.head}>
        <span>{texts.about}</span>
        <span aria-hidden="true">{texts.products}</span>
      </p>
      {departments.length === 0 && <p>{texts.none}</p>}
      <Sortable inRows items={departments} onMove={(key, onto) => rest.onMove(departments, key, onto)}>
        <ol aria-label={texts.title}>
          {departments.map((department) => (
            <Department {...rest} key={department.key} row={department} among={departments} />
          ))}
        </ol>
      </Sortable>
      <p className={styles.sale}>
        <span>{texts.sale}</span>
        <span className={styles.about}>{texts.saleAbout}</span>
      </p>
    </div>
  );
}
