import { skipToken } from '@apollo/client/react';
import { useSearchParams } from 'react-router';
import { CardPlates, GridCards, ProductGrid } from '~/features/catalog/product-grid';
import { texts } from '~/features/catalog/texts';
import { MIN_LETTERS } from '~/features/catalog/search-query';
import { useLoggedFailure } from '~/features/catalog/use-search';
import { Button, ButtonLink } from '~/ui/button';
import { Empty } from '~/ui/empty';
import { useTitle } from '~/ui/use-title';
import { type SearchPageQuery, useSearchPageQuery } from './search.generated';
import styles from './search.module.css';

/** /search?q=… */
export default function SearchRoute() {
  const [params] = useSearchParams();
  const query = (params.get('q') ?? '').trim();
  useTitle(query ? `Search: ${query}` : 'Search');
  const asked = query.length >= MIN_LETTERS;
  const { data, error, loading } = useSearchPageQuery(asked ? { variables: { query } } : skipToken);
  useLoggedFailure(error);
  const search = error ? undefined : data?.search;

  return (
    <div className="page">
      <div className={styles.head}>
        <h1 className="h1-calm">{query ? `“${query}”` : 'Search'}</h1>
        <noscript>
          <PlainSearch query={query} />
        </noscript>
        {!asked && <p className={styles.said}>Type at least two letters into the search box.</p>}
        {search && <Said search={search} />}
        <h2 className="visually-hidden">Results</h2>
      </div>
      {loading && !search && (
        <ProductGrid>
          <CardPlates count={8} />
        </ProductGrid>
      )}
      {search?.products.length === 0 && <Nothing query={query} />}
      {search && (
        <ProductGrid>
          <GridCards products={search.products} eager={4} />
        </ProductGrid>
      )}
    </div>
  );
}

/** A browser without script has no search box in the header. */
function PlainSearch({ query }: { query: string }) {
  return (
    <form method="get" action="/search" role="search">
      <input type="search" name="q" defaultValue={query} minLength={2} required aria-label="Search for a product" />{' '}
      <Button type="submit" small>
        Search
      </Button>
    </form>
  );
}

function Said({ search: { corrected, products } }: { search: SearchPageQuery['search'] }) {
  if (products.length === 0) return null;
  return (
    <p className={styles.said} role="status">
      {corrected && (
        <>
          Nothing has that name. Showing <b>{corrected}</b>.{' '}
        </>
      )}
      {products.length} {products.length === 1 ? 'piece' : 'pieces'}
    </p>
  );
}

function Nothing({ query }: { query: string }) {
  return (
    <Empty title={`Nothing for “${query}”`} action={<ButtonLink to="/">{texts.continueShopping}</ButtonLink>}>
      We make shirts, jeans and trousers.
    </Empty>
  );
}
