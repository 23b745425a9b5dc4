import { skipToken } from '@apollo/client/react';
import { type ReactNode, Suspense } from 'react';
import type { ProductFilter, ProductSort } from '~/graphql/schema.generated';
import { serverWords } from '~/graphql/settled';
import { Button, ButtonLink } from '~/ui/button';
import { Empty, Failure } from '~/ui/empty';
import { retryable } from '~/ui/lazy-part';
import { Link } from '~/ui/link';
import { PictureSkeleton } from '~/ui/skeleton';
import { allChips } from './list-filters';
import type { ListState } from './list-state';
import { CardSkeletons, GridCards, ProductGrid } from './product-grid';
import { type ListedProductsFragment, useFoundListQuery, useProductListQuery } from './product-list.generated';
import styles from './product-list.module.css';
import { shownColor } from './shown-color';
import { rememberPages, shownPages } from './shown-pages';
import { texts } from './texts';
import { useLoggedFailure } from './use-logged-failure';
import type { ListView } from './use-list-view';

const ProductRows = retryable(() => import('./product-row'));

export const PAGE = 12;

interface PageProps {
  /** What is searched for; null in a list that is not a search's. */
  words: string | null;
  filter: ProductFilter;
  sort: ProductSort;
  view: ListView;
}

function variables({ filter, sort, view }: Omit<PageProps, 'words'>, after: string | null) {
  return { filter, sort, first: PAGE, after, withRows: view === 'list' };
}

/** A page of a category or of a search. A search that failed has nothing to show, not even what it found before. */
function usePage({ words, ...page }: PageProps, after: string | null) {
  const listed = useProductListQuery(words === null ? { variables: variables(page, after) } : skipToken);
  const searched = useFoundListQuery(
    words === null ? skipToken : { variables: { query: words, ...variables(page, after) } },
  );
  useLoggedFailure(searched.error);
  if (words === null) return { ...listed, products: listed.data?.products, searchedWords: null };
  const search = searched.error ? undefined : searched.data?.search;
  return { ...searched, products: search?.products, searchedWords: search?.corrected ?? words };
}

/** The products of one page; pages seen before come from the cache. */
function Page({ after, first, ...page }: PageProps & { after: string | null; first: boolean }) {
  const { products, error, refetch, searchedWords } = usePage(page, after);
  if (error && page.words !== null) return null;
  if (error && !products) return <ListFailure error={error} retry={() => void refetch()} />;
  if (!products) return page.view === 'grid' ? <CardSkeletons count={PAGE} /> : <LineSkeletons count={PAGE} />;
  const { nodes } = products;
  const shown = nodes.map(({ colors }) => shownColor(colors, page.filter.colors ?? [], searchedWords));
  return page.view === 'grid' ? (
    <GridCards products={nodes} shown={shown} eager={first ? 1 : 0} />
  ) : (
    <ProductRows products={nodes} shown={shown} />
  );
}

/** Stand where the lines of a list will be. */
function LineSkeletons({ count }: { count: number }) {
  return Array.from({ length: count }, (_, at) => (
    <li key={at} className={styles.skeleton} aria-hidden="true">
      <PictureSkeleton />
    </li>
  ));
}

export function ListFailure({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <Failure title={serverWords(error) ?? texts.productsFailed} action={<Button onClick={retry}>Try again</Button>}>
      The list did not arrive. Nothing of yours is lost.
    </Failure>
  );
}

function Frame({ view, children }: { view: ListView; children: ReactNode }) {
  return view === 'grid' ? (
    <ProductGrid>{children}</ProductGrid>
  ) : (
    <ul className={styles.rows}>
      <Suspense fallback={<LineSkeletons count={PAGE} />}>{children}</Suspense>
    </ul>
  );
}

interface ProductListProps extends Omit<PageProps, 'words'> {
  list: ListState;
  /** The empty state of a list without filters. */
  nothing?: ReactNode;
}

/** Pages of products, one after the other, and the way to the next. The last page shown stands in the address. */
export function ProductList({ list, nothing, ...rest }: ProductListProps) {
  const page = { ...rest, words: list.words?.trim() ?? null };
  const listKey = JSON.stringify([page.words, page.filter, page.sort]);
  const pages = shownPages(listKey, list.after);
  const last = pages.at(-1) ?? null;
  const { products } = usePage(page, last);

  if (products?.totalCount === 0) {
    return nothing && allChips(list.filters).length === 0 ? nothing : <NothingFits list={list} />;
  }
  return (
    <div className={`page ${styles.list}`}>
      {pages[0] !== null && (
        <p className={styles.before}>
          <Link className="link" to={list.linkFrom(null)} replace>
            Show from the beginning
          </Link>
        </p>
      )}
      <Frame view={page.view}>
        {pages.map((after, at) => (
          <Page key={after ?? 'first'} {...page} after={after} first={at === 0} />
        ))}
      </Frame>
      {products && (
        <ListEnd
          products={products}
          pages={pages}
          linkFrom={list.linkFrom}
          onNext={(cursor) => rememberPages(listKey, [...pages, cursor])}
        />
      )}
    </div>
  );
}

interface ListEndProps {
  products: ListedProductsFragment;
  pages: readonly (string | null)[];
  linkFrom: ListState['linkFrom'];
  onNext: (cursor: string) => void;
}

function ListEnd({ products: { nodes, pageInfo, totalCount }, pages, linkFrom, onNext }: ListEndProps) {
  const fromStart = pages[0] === null;
  const shown = (pages.length - 1) * PAGE + nodes.length;
  const { endCursor } = pageInfo;
  const left = fromStart ? Math.min(PAGE, totalCount - shown) : PAGE;
  if (fromStart && shown === totalCount && pages.length === 1) return null;
  return (
    <div className={styles.end}>
      {fromStart && (
        <p className={styles.shown} style={{ '--share': `${(100 * shown) / totalCount}%` }}>
          {shown} of {totalCount} pieces
        </p>
      )}
      {pageInfo.hasNextPage && endCursor && (
        <ButtonLink to={linkFrom(endCursor)} replace rel="next" onClick={() => onNext(endCursor)}>
          Show the next {left}
        </ButtonLink>
      )}
    </div>
  );
}

function NothingFits({ list }: { list: ListState }) {
  return (
    <div className={`page ${styles.list}`}>
      <Empty title="Nothing fits all of that" action={<Button onClick={list.clear}>Clear the filters</Button>}>
        Each filter by itself finds something. Drop one, or clear them all.
      </Empty>
    </div>
  );
}
