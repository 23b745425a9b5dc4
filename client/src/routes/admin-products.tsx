import { NetworkStatus } from '@apollo/client';
import { useSearchParams } from 'react-router';
import { Panel, PrivilegeNote } from '~/features/admin/panel';
import { ProductTable } from '~/features/admin/products/product-table';
import { texts } from '~/features/admin/products/texts';
import { serverWords } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { Segments } from '~/ui/segments';
import type { AdminViewer } from './admin';
import { type AdminProductsQuery, useAdminProductsQuery } from './admin.generated';
import styles from './admin.module.css';

const NOTE = 'product-note';

const filters = [
  { value: 'all', label: 'All', category: 'ALL' },
  { value: 'men', label: 'Men', category: 'MEN' },
  { value: 'women', label: 'Women', category: 'WOMEN' },
  { value: 'sale', label: 'Sale', category: 'SALE' },
] as const;

function appended(shown: AdminProductsQuery, more: AdminProductsQuery): AdminProductsQuery {
  if (!shown.admin || !more.admin) return shown;
  const { products } = more.admin;
  const nodes = [...shown.admin.products.nodes, ...products.nodes];
  return { admin: { ...more.admin, products: { ...products, nodes } } };
}

/** Every product on offer, to look at and to take off. */
export default function ProductsTab({ viewer }: { viewer: AdminViewer }) {
  const [query, setQuery] = useSearchParams();
  const filter = filters.find(({ value }) => value === query.get('category')) ?? filters[0];
  const { data, error, fetchMore, networkStatus } = useAdminProductsQuery({
    variables: { category: filter.category },
    fetchPolicy: 'cache-and-network',
  });
  const products = data?.admin?.products;

  function more() {
    void fetchMore({
      variables: { after: products?.pageInfo.endCursor },
      updateQuery: (shown, { fetchMoreResult }) => appended(shown, fetchMoreResult),
    });
  }

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
            options={filters}
            chosen={filter.value}
            onChoose={(category) => setQuery({ tab: 'products', category }, { replace: true })}
          />
        }
      >
        {products && (
          <>
            <ProductTable
              products={products.nodes.filter(({ isRetired }) => !isRetired)}
              allowed={viewer.isPrimaryAdmin}
              noteId={NOTE}
            />
            {products.pageInfo.hasNextPage && (
              <div className={styles.more}>
                <Button onClick={more} working={networkStatus === NetworkStatus.fetchMore && 'Fetching more ...'}>
                  Show more
                </Button>
              </div>
            )}
          </>
        )}
      </Panel>
    </>
  );
}
