import { useEffect, useState } from 'react';
import { type KeptPage, keptPages } from '~/service-worker/kept-pages';
import { Button } from '~/ui/button';
import { Empty } from '~/ui/empty';
import { useSearchParams } from '~/ui/use-search-params';
import { useTitle } from '~/ui/use-title';
import styles from './offline.module.css';

const SHOWN = 12;

/** The page that somebody was on the way to, within the shop; home when it is none. */
function wantedPage(from: string | null): string {
  const wanted = URL.canParse(from ?? '', window.location.origin) ? new URL(from ?? '', window.location.origin) : null;
  return wanted?.origin === window.location.origin ? wanted.pathname + wanted.search : '/';
}

/** /offline: where the service worker leads when the network is away and the page was never seen here. */
export default function OfflineRoute() {
  useTitle('Offline');
  const [query] = useSearchParams();
  const [kept, setKept] = useState<KeptPage[]>([]);

  useEffect(() => {
    keptPages()
      .then((pages) => setKept(pages.slice(0, SHOWN)))
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
      {kept.length > 0 && (
        <nav aria-labelledby="kept">
          <h2 id="kept">These still open</h2>
          <ul>
            {kept.map(({ path, title }) => (
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
