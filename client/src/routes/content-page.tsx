import { useLocation } from 'react-router';
import { BlockShelf } from '~/features/catalog/block-shelf';
import { PageBlocks } from '~/features/content/page-blocks';
import { serverWords } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { Failure } from '~/ui/empty';
import { lazyWhenIdle } from '~/ui/lazy-when-idle';
import { Ring } from '~/ui/ring';
import { texts } from '~/ui/texts';
import { useTitle } from '~/ui/use-title';
import { useContentPageQuery } from './content-page.generated';

const NotFound = lazyWhenIdle('routes/not-found', () => import('./not-found'));

/** /pages/our-cotton and its like: what the owner has written. */
export default function ContentPageRoute() {
  const { pathname } = useLocation();
  const { data, error, refetch } = useContentPageQuery({ variables: { path: pathname } });
  const page = data?.page;
  useTitle(page?.title);

  if (page) return <PageBlocks key={pathname} page={page} renderShelf={(shelf) => <BlockShelf {...shelf} />} />;
  if (data) return <NotFound />;
  return (
    <div className="page" style={{ paddingTop: 'var(--space-14)' }} aria-busy={!error}>
      {error ? (
        <Failure
          as="h1"
          title={serverWords(error) ?? texts.wrong}
          action={<Button onClick={() => void refetch()}>{texts.tryAgain}</Button>}
        />
      ) : (
        <Ring size={26} late />
      )}
    </div>
  );
}
