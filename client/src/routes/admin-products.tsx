import { useState } from 'react';
import { BulkBar } from '~/features/admin/products/bulk-bar';
import type { BulkKind } from '~/features/admin/products/bulk-change';
import { BulkDialog } from '~/features/admin/products/bulk-dialog';
import { ProductTable } from '~/features/admin/products/product-table';
import { texts } from '~/features/admin/products/texts';
import { Panel, PrivilegeNote } from '~/features/admin/panel';
import type { AdminProductFilter, AdminProductSort } from '~/graphql/schema.generated';
import { genderNames } from '~/graphql/catalogue';
import { serverWords } from '~/graphql/settled';
import { Select } from '~/ui/field';
import { ListSearch } from '~/ui/list-search';
import { Pager } from '~/ui/pager';
import { Segments } from '~/ui/segments';
import { Filters } from '~/ui/table';
import { useListQuery } from '~/ui/use-list-query';
import type { AdminViewer } from './admin-viewer';
import styles from './admin.module.css';
import { useAdminProductsQuery } from './admin-products.generated';

const NOTE = 'product-note';
const PAGE = 50;

const categories = [
  { value: 'all', label: 'All', category: 'ALL' },
  { value: 'men', label: genderNames.MEN, category: 'MEN' },
  { value: 'women', label: genderNames.WOMEN, category: 'WOMEN' },
  { value: 'sale', label: 'Sale', category: 'SALE' },
] as const;

const states: readonly { value: string; label: string; filter: AdminProductFilter }[] = [
  { value: 'offer', label: 'On offer', filter: {} },
  { value: 'discounted', label: 'Discounted now', filter: { onSale: true } },
  { value: 'sold-out', label: 'Sold out', filter: { soldOut: true } },
  { value: 'no-picture', label: 'Without a picture', filter: { withoutPicture: true } },
  { value: 'retired', label: 'Retired', filter: { retired: true } },
  { value: 'everything', label: 'Everything', filter: { includeRetired: true } },
];

const sorts: readonly { value: string; label: string; sort: AdminProductSort }[] = [
  { value: 'newest', label: 'Newest first', sort: 'NEWEST' },
  { value: 'oldest', label: 'Oldest first', sort: 'OLDEST' },
  { value: 'changed', label: 'Last changed first', sort: 'CHANGED' },
  { value: 'sold', label: 'Best sold first', sort: 'BEST_SOLD' },
  { value: 'name', label: 'Name', sort: 'NAME' },
  { value: 'cheapest', label: 'Cheapest first', sort: 'CHEAPEST' },
  { value: 'dearest', label: 'Dearest first', sort: 'DEAREST' },
];

const beginning = { category: 'all', show: 'offer', sort: 'newest', q: '' };

function useProductList() {
  const list = useListQuery(beginning);
  const [category] = categories.filter(({ value }) => value === list.values.category).concat(categories[0]);
  const [state] = states.filter(({ value }) => value === list.values.show).concat(states[0] ?? []);
  const [sort] = sorts.filter(({ value }) => value === list.values.sort).concat(sorts[0] ?? []);
  const filter: AdminProductFilter = { category: category?.category ?? 'ALL', ...state?.filter };
  const search = list.values.q || null;
  const asked = useAdminProductsQuery({
    variables: { filter, search, sort: sort?.sort ?? 'NEWEST', after: list.after },
    fetchPolicy: 'cache-and-network',
  });
  return { list, filter, search, asked, key: JSON.stringify([filter, search]) };
}

/** What is ticked: rows, over all pages, or everything that the filter matches. It ends when the filter changes. */
function useSelection(key: string) {
  const [kept, keep] = useState<{ key: string; ids: ReadonlySet<string>; all: boolean }>({
    key,
    ids: new Set(),
    all: false,
  });
  const { ids, all } = kept.key === key ? kept : { ids: new Set<string>(), all: false };
  const choose = (chosen: Iterable<string>, everything = false) => keep({ key, ids: new Set(chosen), all: everything });

  function toggle(id: string) {
    choose(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id]);
  }

  function togglePage(page: readonly string[]) {
    const whole = page.every((id) => all || ids.has(id));
    choose(whole ? [...ids].filter((id) => !page.includes(id)) : [...ids, ...page]);
  }

  return { ids, all, toggle, togglePage, choose, has: (id: string) => all || ids.has(id) };
}

function ListFilters({ list }: Pick<ReturnType<typeof useProductList>, 'list'>) {
  return (
    <Filters>
      <ListSearch label="Find by name or SKU" value={list.values.q} onSearch={(q) => list.set({ q })} />
      <Select label="Show" value={list.values.show} onChange={({ target }) => list.set({ show: target.value })}>
        {states.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <Select label="Sort" value={list.values.sort} onChange={({ target }) => list.set({ sort: target.value })}>
        {sorts.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </Filters>
  );
}

/** Every product, to find, to change and to take off; one by one or many at once. */
export default function ProductsTab({ viewer }: { viewer: AdminViewer }) {
  const { list, filter, search, asked, key } = useProductList();
  const { data, previousData, error, refetch } = asked;
  const products = (data ?? previousData)?.admin?.products;
  const selection = useSelection(key);
  const [kind, setKind] = useState<BulkKind | null>(null);
  const shown = products?.nodes.map(({ id }) => id) ?? [];
  const hasSelection = selection.all || selection.ids.size > 0;

  return (
    <>
      <PrivilegeNote id={NOTE} allowed={viewer.isPrimaryAdmin} />
      <Panel
        title="Products"
        waiting="Fetching products"
        failed={error ? (serverWords(error) ?? texts.productsFailed) : false}
        aside={
          <Segments
            label="Category"
            options={categories}
            chosen={list.values.category}
            onChoose={(category) => list.set({ category })}
          />
        }
      >
        {products && (
          <div className={styles.screen}>
            <ListFilters list={list} />
            <ProductTable
              products={products.nodes.filter(({ isRetired }) => !isRetired || filter.retired || filter.includeRetired)}
              allowed={viewer.isPrimaryAdmin}
              noteId={NOTE}
              stale={!data}
              selection={{
                has: selection.has,
                toggle: selection.toggle,
                toggleAll: () => selection.togglePage(shown),
              }}
              sorting={{ by: list.values.sort, onSort: (sort) => list.set({ sort }) }}
            />
            <Pager
              list={list}
              size={PAGE}
              shown={products.nodes.length}
              total={products.totalCount}
              pageInfo={products.pageInfo}
            />
            {hasSelection && (
              <BulkBar
                selected={selection.ids.size}
                total={products.totalCount}
                all={selection.all}
                retired={Boolean(filter.retired)}
                allowed={viewer.isPrimaryAdmin}
                noteId={NOTE}
                onAll={() => selection.choose([], true)}
                onNone={() => selection.choose([])}
                onChoose={setKind}
              />
            )}
          </div>
        )}
      </Panel>
      {kind && (
        <BulkDialog
          kind={kind}
          selection={selection.all ? { filter, search } : { ids: [...selection.ids] }}
          onClose={() => setKind(null)}
          onDone={() => {
            setKind(null);
            selection.choose([]);
            void refetch();
          }}
        />
      )}
    </>
  );
}
