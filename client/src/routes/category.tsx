import { Suspense } from 'react';
import { useParams } from 'react-router';
import { type CategoryPage, findCategory, type SubcategoryPage } from '~/features/catalog/categories';
import { CategoryHead } from '~/features/catalog/category-head';
import { ListBar } from '~/features/catalog/list-bar';
import { useListState } from '~/features/catalog/list-state';
import { ProductList } from '~/features/catalog/product-list';
import { useProductFacetsQuery } from '~/features/catalog/product-list.generated';
import { useListView } from '~/features/catalog/use-list-view';
import { lazyWhenIdle } from '~/ui/lazy-when-idle';
import { useTitle } from '~/ui/use-title';

const NotFound = lazyWhenIdle('routes/not-found', () => import('./not-found'));

/** /category/men, /category/men/jeans, /category/sale/women and their like. */
export default function CategoryRoute() {
  const { category, subcategory } = useParams();
  const categoryPage = findCategory(category, subcategory);
  return categoryPage ? <Category {...categoryPage} /> : <NotFound />;
}

function Category({ page, chosen }: { page: CategoryPage; chosen: SubcategoryPage }) {
  useTitle(`${page.heading}, ${chosen.label}`);
  const list = useListState();
  const [view, setView] = useListView();
  const filter = { ...chosen.filter, ...list.filters };
  const { data, previousData } = useProductFacetsQuery({ variables: { filter } });
  const products = (data ?? previousData)?.products;

  return (
    <>
      <CategoryHead page={page} chosen={chosen} />
      <ListBar
        list={list}
        facets={products?.facets}
        total={products?.totalCount}
        view={view}
        onView={setView}
        page={chosen.filter}
      />
      <Suspense>
        <ProductList key={chosen.slug} list={list} filter={filter} sort={list.sort} view={view} />
      </Suspense>
    </>
  );
}
