import { useState } from 'react';
import { ListPanel } from '~/features/admin/list';
import { BulkBar } from '~/features/admin/products/bulk-bar';
import type { BulkKind } from '~/features/admin/products/bulk-change';
import { BulkDialog } from '~/features/admin/products/bulk-dialog';
import { ProductTable } from '~/features/admin/products/product-table';
import { texts } from '~/features/admin/products/texts';
import { PrivilegeNote } from '~/features/admin/panel';
import { SegmentsOrSelect } from '~/features/admin/segments-or-select';
import type { AdminProductFilter, AdminProductSort } from '~/graphql/schema.generated';
import { listPage } from '~/graphql/list-page';
import { FilterBar, type FilterField } from '~/ui/filter-bar';
import { Link } from '~/ui/link';
import { useListQuery } from '~/ui/use-list-query';
import type { AdminViewer } from './admin-viewer';
import { useAdminDepartmentsQuery, useAdminProductsQuery } from './admin-products.generated';

const NOTE = 'product-note';

const ALL = { value: '', label: 'All' };
const SALE = { value: 'sale', label: 'Sale' };

/** No department has the key of the sale, or none. */
function filterOf(category: string): AdminProductFilter {
  if (category === ALL.value) return {};
  return category === SALE.value ? { onSale: true } : { department: category };
}

/** The ways to what is beside the list, and its filter by department. */
function Aside({ category, onChoose }: { category: string; onChoose: (category: string) => void }) {
  const { data, error } = useAdminDepartmentsQuery({ fetchPolicy: 'cache-and-network' });
  const departments = data?.admin?.departments ?? [];
  return (
    <>
      <Link to="/admin/categories" className="link small">
        {texts.categories}
      </Link>
      <Link to="/admin/import" className="link small">
        {texts.importAndExport}
      </Link>
      {(data ?? error) && (
        <SegmentsOrSelect
          label="Category"
          options={[ALL, ...departments.map(({ key, name }) => ({ value: key, label: name })), SALE]}
          chosen={category}
          onChoose={onChoose}
        />
      )}
    </>
  );
}

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

const beginning = { category: ALL.value, show: 'offer', sort: 'newest', q: '' };

function useProductList() {
  const list = useListQuery(beginning);
  const [state] = states.filter(({ value }) => value === list.values.show).concat(states[0] ?? []);
  const [sort] = sorts.filter(({ value }) => value === list.values.sort).concat(sorts[0] ?? []);
  const filter: AdminProductFilter = { ...filterOf(list.values.category), ...state?.filter };
  const search = list.values.q || null;
  const result = useAdminProductsQuery({
    variables: { filter, search, sort: sort?.sort ?? 'NEWEST', after: list.after },
    fetchPolicy: 'cache-and-network',
  });
  return { list, filter, search, result, key: JSON.stringify([filter, search]) };
}

/** What is ticked: rows, over all pages, or everything that the filter matches. It ends when the filter changes. */
function useSelection(key: string) {
  const [stored, setStored] = useState<{ key: string; ids: ReadonlySet<string>; all: boolean }>({
    key,
    ids: new Set(),
    all: false,
  });
  const { ids, all } = stored.key === key ? stored : { ids: new Set<string>(), all: false };
  const choose = (chosen: Iterable<string>, everything = false) =>
    setStored({ key, ids: new Set(chosen), all: everything });

  function toggle(id: string) {
    choose(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id]);
  }

  function togglePage(page: readonly string[]) {
    const whole = page.every((id) => all || ids.has(id));
    choose(whole ? [...ids].filter((id) => !page.includes(id)) : [...ids, ...page]);
  }

  return { ids, all, toggle, togglePage, choose, has: (id: string) => all || ids.has(id) };
}

const fields: readonly FilterField<typeof beginning>[] = [
  { name: 'q', kind: 'search', label: 'Find by name or SKU' },
  { name: 'show', kind: 'choice', label: 'Show', options: states },
  { name: 'sort', kind: 'choice', label: 'Sort', options: sorts },
];

/** Every product, to find, to change and to take off; one by one or many at once. */
export default function ProductsTab({ viewer }: { viewer: AdminViewer }) {
  const { list, filter, search, result, key } = useProductList();
  const page = listPage(result, ({ admin }) => admin?.products);
  const selection = useSelection(key);
  const [kind, setKind] = useState<BulkKind | null>(null);
  const allowed = viewer.isPrimaryAdmin;
  const hasSelection = selection.all || selection.ids.size > 0;

  return (
    <>
      <PrivilegeNote id={NOTE} allowed={allowed} />
      <ListPanel
        title="Products"
        waiting="Fetching products"
        failed={texts.productsFailed}
        list={list}
        page={page}
        aside={<Aside category={list.values.category} onChoose={(category) => list.set({ category })} />}
        above={<FilterBar list={list} fields={fields} />}
        below={
          hasSelection && (
            <BulkBar
              selected={selection.ids.size}
              total={page.connection?.totalCount ?? 0}
              all={selection.all}
              retired={Boolean(filter.retired)}
              allowed={allowed}
              noteId={NOTE}
              onAll={() => selection.choose([], true)}
              onNone={() => selection.choose([])}
              onChoose={setKind}
            />
          )
        }
      >
        {(products, stale) => (
          <ProductTable
            products={products.filter(({ isRetired }) => !isRetired || filter.retired || filter.includeRetired)}
            allowed={allowed}
            noteId={NOTE}
            stale={stale}
            selection={{
              has: selection.has,
              toggle: selection.toggle,
              toggleAll: () => selection.togglePage(products.map(({ id }) => id)),
            }}
            sorting={{ by: list.values.sort, onSort: (sort) => list.set({ sort }) }}
          />
        )}
      </ListPanel>
      {kind && (
        <BulkDialog
          kind={kind}
          selection={selection.all ? { filter, search } : { ids: [...selection.ids] }}
          onClose={() => setKind(null)}
          onDone={() => {
            setKind(null);
            selection.choose([]);
            page.retry();
          }}
        />
      )}
    </>
  );
}
