import { Button } from '~/ui/button';
import { DataTable } from '~/ui/data-table';
import type { SizeSystemRowFragment } from './sizes.generated';
import styles from './sizes.module.css';
import { texts } from './texts';

interface SizeSystemTableProps {
  systems: readonly SizeSystemRowFragment[];
  /** Only the owner may change them. */
  allowed: boolean;
  onEdit: (system: SizeSystemRowFragment) => void;
  onRemove: (system: SizeSystemRowFragment) => void;
}

/** "W28, W30 by L30, L32" */
const sizesOf = ({ axes }: SizeSystemRowFragment) =>
  axes.map(({ values }) => values.map(({ name }) => name).join(', ')).join(' by ');

const marketsOf = ({ market, axes }: SizeSystemRowFragment) => [
  ...new Set([
    market,
    ...axes.flatMap(({ values }) => values.flatMap(({ labels }) => labels.map((one) => one.market))),
  ]),
];

/** "Men: Jeans, Shirts; Women: Trousers" */
function categoriesOf(categories: SizeSystemRowFragment['categories']) {
  const departments = [...new Set(categories.map(({ department }) => department.name))];
  const of = (name: string) => categories.filter(({ department }) => department.name === name);
  return departments
    .map(
      (name) =>
        `${name}: ${of(name)
          .map((one) => one.name)
          .join(', ')}`,
    )
    .join('; ');
}

/** What products can be made in, and which categories have it. */
export function SizeSystemTable({ systems, allowed, onEdit, onRemove }: SizeSystemTableProps) {
  return (
    <DataTable
      label={texts.sizes}
      rows={systems}
      keyOf={({ key }) => key}
      empty={texts.none}
      columns={[
        {
          title: 'System',
          isRowHeader: true,
          cell: (system) => (
            <>
              {system.name}
              <span className={styles.list}>{sizesOf(system)}</span>
            </>
          ),
        },
        { title: 'Markets', label: true, cell: (system) => marketsOf(system).filter(Boolean).join(', ') },
        { title: 'Categories', label: true, cell: ({ categories }) => categoriesOf(categories) || texts.unused },
        {
          title: 'Change',
          kind: 'controls',
          cell: (system) => (
            <>
              <Button
                small
                disabled={!allowed}
                aria-label={`${texts.change} ${system.name}`}
                onClick={() => onEdit(system)}
              >
                {texts.change}
              </Button>
              <Button
                small
                disabled={!allowed}
                aria-label={`${texts.remove} ${system.name}`}
                onClick={() => onRemove(system)}
              >
                {texts.remove}
              </Button>
            </>
          ),
        },
      ]}
    />
  );
}
