import { useState } from 'react';
import type { ProductFilter } from '~/graphql/schema.generated';
import { ChevronDownIcon, CrossIcon, FilterIcon, GridIcon, ListIcon } from '~/ui/icons';
import { lazyPart } from '~/ui/lazy-part';
import { LiveRegion } from '~/ui/live-region';
import { Menu, Popover } from '~/ui/menu';
import { type Facet, FACETS, facetsOf } from './facets';
import { Flag } from './flag';
import type { FilterProps } from './filters';
import styles from './list-bar.module.css';
import { chipsOf, countChoices } from './list-filters';
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
  const choices = countChoices(filters);
  const filter = { offered: facetsOf(page), filters, facets, narrow };

  return (
    <>
      <PlainFilters list={list} facets={facets} offered={filter.offered} />
      <div className={styles.bar}>
        <div className={`page ${styles.inner}`}>
          <button type="button" className={`${styles.opener} ${styles.narrow}`} onClick={() => setSheetOpen(true)}>
            <FilterIcon />
            Filter {choices > 0 && <b>{choices}</b>}
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
      {choices > 0 && <Chips list={list} />}
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

function ViewToggle({ view, onView }: { view: ListView; onView: (view: ListView) => void }) {
  return (
    <div className={styles.views} role="group" aria-label="View">
      <button
        type="button"
        className={styles.view}
        aria-label="Grid"
        aria-pressed={view === 'grid'}
        onClick={() => onView('grid')}
      >
        <GridIcon />
      </button>
      <button
        type="button"
        className={styles.view}
        aria-label="List"
        aria-pressed={view === 'list'}
        onClick={() => onView('list')}
      >
        <ListIcon />
      </button>
    </div>
  );
}

function Chips({ list: { chosen, narrow, clear } }: { list: ListState }) {
  return (
    <ul className={`page ${styles.chips}`} aria-label="Chosen filters">
      {FACETS.flatMap((facet) => chipsOf(facet, chosen)).map(({ label, drop }) => (
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
