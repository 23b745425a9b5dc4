import { skipToken } from '@apollo/client/react';
import { Suspense } from 'react';
import { ListBar } from '~/features/catalog/list-bar';
import { allChips } from '~/features/catalog/list-filters';
import { useListState } from '~/features/catalog/list-state';
import { ProductList } from '~/features/catalog/product-list';
import { MIN_LETTERS } from '~/features/catalog/search-query';
import { texts } from '~/features/catalog/texts';
import { useListView } from '~/features/catalog/use-list-view';
import { useLoggedFailure } from '~/features/catalog/use-logged-failure';
import { Button, ButtonLink } from '~/ui/button';
import { Empty } from '~/ui/empty';
import { useTitle } from '~/ui/use-title';
import { useSearchPageQuery } from './search.generated';
import styles from './search.module.css';

const EVERYTHING = {};

/** /search?q=… */
export default function SearchRoute() {
  const list = useListState({ ofSearch: true });
  const [view, setView] = useListView();
  const query = (list.words ?? '').trim();
  useTitle(query ? `Search: ${query}` : 'Search');
  const isLongEnough = query.length >= MIN_LETTERS;
  const filter = list.filters;
  const { data, previousData, error } = useSearchPageQuery(isLongEnough ? { variables: { query, filter } } : skipToken);
  useLoggedFailure(error);
  const search = error ? undefined : (data ?? previousData)?.search;
  const hasList = search && (search.products.totalCount > 0 || allChips(list.filters).length > 0);

  return (
    <>
      <div className={`page ${styles.head}`}>
        <h1 className="h1-calm">{query ? `“${query}”` : 'Search'}</h1>
        <noscript>
          <PlainSearch query={query} />
        </noscript>
        {!isLongEnough && <p className={styles.message}>Type at least two letters into the search box.</p>}
        {search?.corrected && (
          <p className={styles.message} role="status">
            Nothing has that name. Showing <b>{search.corrected}</b>.
          </p>
        )}
        <h2 className="visually-hidden">Results</h2>
      </div>
      {hasList && (
        <ListBar
          list={list}
          facets={search.products.facets}
          total={search.products.totalCount}
          view={view}
          onView={setView}
          page={EVERYTHING}
        />
      )}
      {isLongEnough && (
        <Suspense>
          <ProductList
            key={query}
            list={list}
            filter={filter}
            sort={list.sort}
            view={view}
            nothing={<Nothing query={query} />}
          />
        </Suspense>
      )}
    </>
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

function Nothing({ query }: { query: string }) {
  return (
    <div className="page">
      <Empty title={`Nothing for “${query}”`} action={<ButtonLink to="/">{texts.continueShopping}</ButtonLink>}>
        We make shirts, jeans and trousers.
      </Empty>
    </div>
  );
}
