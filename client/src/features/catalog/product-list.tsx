import { type ReactNode, Suspense } from 'react';
import type { ProductFilter, ProductSort } from '~/graphql/schema.generated';
import { serverWords } from '~/graphql/settled';
import { Button, ButtonLink } from '~/ui/button';
import { Empty, Failure } from '~/ui/empty';
import { retryable } from '~/ui/lazy-part';
import { Link } from '~/ui/link';
import { PicturePlate } from '~/ui/plate';
import type { ListState } from './list-state';
import { CardPlates, GridCards, ProductGrid } from './product-grid';
import { type ProductListQuery, useProductListQuery } from './product-list.generated';
import styles from './product-list.module.css';
import { rememberPages, shownPages } from './shown-pages';
import { texts } from './texts';
import type { ListView } from './use-list-view';

const ProductRows = retryable(() => import('./product-row'));

export const PAGE = 12;

interface PageProps {
  filter: ProductFilter;
  sort: ProductSort;
  view: ListView;
}

function variables({ filter, sort, view }: PageProps, after: string | null) {
  return { filter, sort, first: PAGE, after, withRows: view === 'list' };
}

/** The products of one page; pages seen before come from the cache. */
function Page({ after, first, ...page }: PageProps & { after: string | null; first: boolean }) {
  const { data, error, refetch } = useProductListQuery({ variables: variables(page, after) });
  if (error && !data) return <ListFailure error={error} retry={() => void refetch()} />;
  if (!data) return page.view === 'grid' ? <CardPlates count={PAGE} /> : <LinePlates count={PAGE} />;
  const { nodes } = data.products;
  return page.view === 'grid' ? <GridCards products={nodes} eager={first ? 4 : 0} /> : <ProductRows products={nodes} />;
}

/** Stand where the lines of a list will be. */
function LinePlates({ count }: { count: number }) {
  return Array.from({ length: count }, (_, at) => (
    <li key={at} className={styles.plate} aria-hidden="true">
      <PicturePlate />
    </li>
  ));
}

function ListFailure({ error, retry }: { error: unknown; retry: () => void }) {
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
      <Suspense fallback={<LinePlates count={PAGE} />}>{children}</Suspense>
    </ul>
  );
}

interface ProductListProps extends PageProps {
  list: ListState;
}

/** Pages of products, one after the other, and the way to the next. The last page shown stands in the address. */
export function ProductList({ list, ...page }: ProductListProps) {
  const listKey = JSON.stringify([page.filter, page.sort]);
  const pages = shownPages(listKey, list.after);
  const last = pages.at(-1) ?? null;
  const { data } = useProductListQuery({ variables: variables(page, last) });

  if (data?.products.totalCount === 0) return <NothingFits list={list} />;
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
      {data && (
        <ListEnd
          products={data.products}
          pages={pages}
          linkFrom={list.linkFrom}
          onNext={(cursor) => rememberPages(listKey, [...pages, cursor])}
        />
      )}
    </div>
  );
}

interface ListEndProps {
  products: ProductListQuery['products'];
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
