import { Suspense } from 'react';
import { useLocation } from 'react-router';
import { type CategoryPage, findCategory, type SubcategoryPage } from '~/features/catalog/categories';
import { useCategoriesQuery } from '~/features/catalog/categories.generated';
import { CategoryHead } from '~/features/catalog/category-head';
import { ListBar } from '~/features/catalog/list-bar';
import { useListState } from '~/features/catalog/list-state';
import { CardSkeletons, ProductGrid } from '~/features/catalog/product-grid';
import { ListFailure, PAGE, ProductList } from '~/features/catalog/product-list';
import { useProductFacetsQuery } from '~/features/catalog/product-list.generated';
import { useListView } from '~/features/catalog/use-list-view';
import { lazyWhenIdle } from '~/ui/lazy-when-idle';
import { useTitle } from '~/ui/use-title';

const NotFound = lazyWhenIdle('routes/not-found', () => import('./not-found'));

/** /category/men, /category/men/jeans, /category/sale/women and their like. */
export default function CategoryRoute() {
  const { pathname } = useLocation();
  const { data, error, refetch } = useCategoriesQuery();
  if (error && !data) return <ListFailure error={error} retry={() => void refetch()} />;
  if (!data) return <Waiting />;
  const categoryPage = findCategory(data.categories, pathname);
  return categoryPage ? <Category {...categoryPage} /> : <NotFound />;
}

const Waiting = () => (
  <div className="page" aria-busy="true">
    <ProductGrid>
      <CardSkeletons count={PAGE} />
    </ProductGrid>
  </div>
);

function Category({ page, chosen }: { page: CategoryPage; chosen: SubcategoryPage }) {
  useTitle(`${chosen.heading}, ${chosen.label}`);
  const list = useListState();
  const [view, setView] = useListView();
  const filter = { ...chosen.filter, ...list.filters };
  const { data, previousData } = useProductFacetsQuery({ variables: { filter, ids: chosen.ids } });
  const { products, categories } = data ?? previousData ?? {};
  const words = categories?.find(({ id }) => chosen.ids.includes(id));

  return (
    <>
      <CategoryHead page={page} chosen={chosen} words={words} />
      <ListBar
        list={list}
        facets={products?.facets}
        total={products?.totalCount}
        view={view}
        onView={setView}
        page={chosen.filter}
      />
      <Suspense>
        <ProductList key={chosen.path} list={list} filter={filter} sort={list.sort} view={view} />
      </Suspense>
    </>
  );
}
