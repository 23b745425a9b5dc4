import { useState } from 'react';
import { Checkbox } from '~/ui/choice';
import { ChevronDownIcon, CrossIcon, FilterIcon, GridIcon, ListIcon } from '~/ui/icons';
import { lazyPart } from '~/ui/lazy-part';
import { LiveRegion } from '~/ui/live-region';
import { Menu, Popover } from '~/ui/menu';
import { formatPrice } from '~/ui/price';
import type { FilterProps } from './filters';
import styles from './list-bar.module.css';
import { countChoices, type ListState, type Narrowing } from './list-state';
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
  /** The page is a sale already. */
  saleOnly?: boolean;
}

const pieces = (total: number) => `${total} ${total === 1 ? 'piece' : 'pieces'}`;

/** Filters, order and view of a product list: in a row on a wide screen, on a sheet on a phone. */
export function ListBar({ list, facets, total, view, onView, saleOnly }: ListBarProps) {
  const [sheetOpen, setSheetOpen] = useState(false);
  const { chosen: narrowing, narrow } = list;
  const choices = countChoices(narrowing);
  const filter: FilterProps = { narrowing, facets, narrow };

  return (
    <>
      <PlainFilters list={list} facets={facets} saleOnly={saleOnly === true} />
      <div className={styles.bar}>
        <div className={`page ${styles.inner}`}>
          <button type="button" className={`${styles.opener} ${styles.narrow}`} onClick={() => setSheetOpen(true)}>
            <FilterIcon />
            Filter {choices > 0 && <b>{choices}</b>}
          </button>
          <div className={`${styles.group} ${styles.wide}`}>
            <WideFilters {...filter} saleOnly={saleOnly} />
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

function WideFilters({ saleOnly, ...filter }: FilterProps & { saleOnly: boolean | undefined }) {
  const { narrowing, narrow } = filter;
  const priced = narrowing.priceFrom !== null || narrowing.priceTo !== null;
  return (
    <>
      <Popover start openerClass={styles.opener} opener={<Opener label="Size" count={narrowing.sizes.length} />}>
        <FilterPanel of="size" {...filter} />
      </Popover>
      <Popover start openerClass={styles.opener} opener={<Opener label="Color" count={narrowing.colors.length} />}>
        <FilterPanel of="color" {...filter} />
      </Popover>
      <Popover start openerClass={styles.opener} opener={<Opener label="Price" count={priced ? 1 : 0} />}>
        <FilterPanel of="price" {...filter} />
      </Popover>
      <Checkbox checked={narrowing.inStock} onChange={({ target }) => narrow({ inStock: target.checked })}>
        In stock
      </Checkbox>
      {!saleOnly && (
        <Checkbox checked={narrowing.onSale} onChange={({ target }) => narrow({ onSale: target.checked })}>
          On sale
        </Checkbox>
      )}
    </>
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

function priceWords({ priceFrom, priceTo }: Narrowing): string | null {
  if (priceFrom && priceTo) return `${formatPrice(priceFrom)} to ${formatPrice(priceTo)}`;
  if (priceFrom) return `From ${formatPrice(priceFrom)}`;
  return priceTo && `Up to ${formatPrice(priceTo)}`;
}

function Chips({ list: { chosen: narrowing, narrow, clear } }: { list: ListState }) {
  const price = priceWords(narrowing);
  const chips = [
    ...narrowing.sizes.map((size) => ({
      label: `Size ${size}`,
      drop: () => narrow(({ sizes }) => ({ sizes: sizes.filter((other) => other !== size) })),
    })),
    ...narrowing.colors.map((color) => ({
      label: color,
      drop: () => narrow(({ colors }) => ({ colors: colors.filter((other) => other !== color) })),
    })),
    ...(price ? [{ label: price, drop: () => narrow({ priceFrom: null, priceTo: null }) }] : []),
    ...(narrowing.inStock ? [{ label: 'In stock', drop: () => narrow({ inStock: false }) }] : []),
    ...(narrowing.onSale ? [{ label: 'On sale', drop: () => narrow({ onSale: false }) }] : []),
  ];
  return (
    <ul className={`page ${styles.chips}`} aria-label="Chosen filters">
      {chips.map(({ label, drop }) => (
        <li key={label}>
          <button type="button" className={styles.chip} onClick={drop}>
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
