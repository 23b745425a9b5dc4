import { useState } from 'react';
import type { ProductFilter } from '~/graphql/schema.generated';
import { ChevronDownIcon, CrossIcon, FilterIcon, GridIcon, ListIcon } from '~/ui/icons';
import { lazyPart } from '~/ui/lazy-part';
import { LiveRegion } from '~/ui/live-region';
import { Menu, Popover } from '~/ui/menu';
import { type Facet, facetsOf } from './facets';
import { Flag } from './flag';
import type { FilterProps } from './filters';
import styles from './list-bar.module.css';
import { allChips, type Chip, chipsOf } from './list-filters';
import type { ListState } from './list-state';
import { PlainFilters } from './plain-filters';
import type { FacetsFragment } from './product-list.generated';
import type { ListView } from './use-list-view';

const FilterSheet = lazyPart(() => import('./filter-sheet'));
const FilterPanel = lazyPart(() => import('./filters'));

interface ListBarProps {
  list: ListState;
  facets: FacetsFragment | undefined;
  total: number | undefined;
  view: ListView;
  onView: (view: ListView) => void;
  /** The page's own filter, which leaves no choice of what it says. */
  page: ProductFilter;
}

const pieces = (total: number) => `${total} ${total === 1 ? 'piece' : 'pieces'}`;

/** Filters, order and view of a product list: in a row on a wide screen, on a sheet on a phone. */
export function ListBar({ list, facets, total, view, onView, page }: ListBarProps) {
  const [sheetOpen, setSheetOpen] = useState(false);
  const { chosen: filters, narrow } = list;
  const chips = allChips(filters);
  const filter = { offered: facetsOf(page), filters, facets, narrow };

  return (
    <>
      <PlainFilters list={list} facets={facets} offered={filter.offered} />
      <div className={styles.bar}>
        <div className={`page ${styles.inner}`}>
          <button type="button" className={`${styles.opener} ${styles.narrow}`} onClick={() => setSheetOpen(true)}>
            <FilterIcon />
            Filter {chips.length > 0 && <b>{chips.length}</b>}
          </button>
          <div className={`${styles.group} ${styles.wide}`}>
            <WideFilters {...filter} />
          </div>
          <div className={styles.group}>
            {total !== undefined && <span className={styles.pieces}>{pieces(total)}</span>}
            <SortMenu list={list} />
            <ViewToggle view={view} onView={onView} />
          </div>
        </div>
      </div>
      {chips.length > 0 && <Chips chips={chips} list={list} />}
      <LiveRegion>{total === undefined ? '' : pieces(total)}</LiveRegion>
      {sheetOpen && <FilterSheet {...filter} total={total} onClear={list.clear} onClose={() => setSheetOpen(false)} />}
    </>
  );
}

function Opener({ label, count }: { label: string; count: number }) {
  return (
    <>
      {label} {count > 0 && <b>{count}</b>}
      <ChevronDownIcon size={16} />
    </>
  );
}

function WideFilters({ offered, ...filter }: FilterProps & { offered: readonly Facet[] }) {
  return offered.map((facet) =>
    facet.kind === 'flag' ? (
      <Flag key={facet.label} facet={facet} {...filter} />
    ) : (
      <Popover
        key={facet.label}
        start
        openerClass={styles.opener}
        opener={<Opener label={facet.label} count={chipsOf(facet, filter.filters).length} />}
      >
        <FilterPanel facet={facet} {...filter} />
      </Popover>
    ),
  );
}

function SortMenu({ list }: { list: ListState }) {
  const label = list.sorts.find(({ id }) => id === list.sort)?.label;
  return (
    <Menu label={`Order: ${label}`} openerClass={styles.opener} opener={<Opener label={label ?? ''} count={0} />}>
      {list.sorts.map((sort) => (
        <li key={sort.id}>
          <button type="button" aria-pressed={sort.id === list.sort} onClick={() => list.sortBy(sort.id)}>
            {sort.label}
          </button>
        </li>
      ))}
    </Menu>
  );
}

const views = [
  { id: 'grid', label: 'Grid', Icon: GridIcon },
  { id: 'list', label: 'List', Icon: ListIcon },
] as const;

function ViewToggle({ view, onView }: { view: ListView; onView: (view: ListView) => void }) {
  return (
    <div className={styles.views} role="group" aria-label="View">
      {views.map(({ id, label, Icon }) => (
        <button
          key={id}
          type="button"
          className={styles.view}
          aria-label={label}
          aria-pressed={view === id}
          onClick={() => onView(id)}
        >
          <Icon />
        </button>
      ))}
    </div>
  );
}

function Chips({ chips, list: { narrow, clear } }: { chips: readonly Chip[]; list: ListState }) {
  return (
    <ul className={`page ${styles.chips}`} aria-label="Chosen filters">
      {chips.map(({ label, drop }) => (
        <li key={label}>
          <button type="button" className={styles.chip} onClick={() => narrow(drop)}>
            <span className="visually-hidden">Drop </span>
            {label}
            <CrossIcon size={16} />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className={`${styles.chip} link`} onClick={clear}>
          Clear
        </button>
      </li>
    </ul>
  );
}
