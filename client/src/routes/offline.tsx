import { useEffect, useState } from 'react';
import { type KeptPage, keptPages } from '~/service-worker/kept-pages';
import { Button } from '~/ui/button';
import { Empty } from '~/ui/empty';
import { useSearchParams } from '~/ui/use-search-params';
import { useTitle } from '~/ui/use-title';
import styles from './offline.module.css';

const SHOWN = 12;

/** The page that was requested, within the shop; home otherwise. */
function wantedPage(from: string | null): string {
  const target = URL.canParse(from ?? '', window.location.origin) ? new URL(from ?? '', window.location.origin) : null;
  return target?.origin === window.location.origin ? target.pathname + target.search : '/';
}

/** /offline: where the service worker leads when the network is away and the page was never seen here. */
export default function OfflineRoute() {
  useTitle('Offline');
  const [query] = useSearchParams();
  const [shownPages, setShownPages] = useState<KeptPage[]>([]);

  useEffect(() => {
    keptPages()
      .then((pages) => setShownPages(pages.slice(0, SHOWN)))
      .catch((error: unknown) => console.error('The kept pages cannot be read.', error));
  }, []);

  return (
    <div className={`page ${styles.offline}`}>
      <Empty
        as="h1"
        title="You are offline"
        action={<Button onClick={() => window.location.assign(wantedPage(query.get('from')))}>Try again</Button>}
      >
        This page has not been opened on this device before, so it has to wait for the network. Your cart and your
        account are safe.
      </Empty>
      {shownPages.length > 0 && (
        <nav aria-labelledby="kept">
          <h2 id="kept">These still open</h2>
          <ul>
            {shownPages.map(({ path, title }) => (
              <li key={path}>
                <a className="link" href={path}>
                  {title === 'Minimal' ? 'Home' : title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}
