import { useEffect, useState } from 'react';
import { type KeptPage, keptPages } from '~/service-worker/kept-pages';
import { Button } from '~/ui/button';
import { Empty } from '~/ui/empty';
import { useSearchParams } from '~/ui/use-search-params';
import { useTitle } from '~/ui/use-title';
import styles from './offline.module.css';

const SHOWN = 12;
/** Milliseconds between two tries where no event comes: the network is there, and the shop is not. */
const TRIES_EVERY = 5000;

/** The page that was requested, within the shop; home otherwise. */
function wantedPage(from: string | null): string {
  const target = URL.canParse(from ?? '', window.location.origin) ? new URL(from ?? '', window.location.origin) : null;
  return target?.origin === window.location.origin ? target.pathname + target.search : '/';
}

/**
 * Opens the page that was requested as soon as the browser has a network again, and when the shop answers. Without a
 * requested page it leads nowhere: then the visitor came here by a link.
 */
function useReturn(from: string | null) {
  useEffect(() => {
    if (from === null) return;
    const go = () => window.location.replace(wantedPage(from));
    const tryShop = () => {
      if (document.visibilityState === 'hidden' || !navigator.onLine) return;
      fetch('/readyz', { cache: 'no-store' }).then(
        ({ ok }) => ok && go(),
        () => undefined,
      );
    };
    const timer = setInterval(tryShop, TRIES_EVERY);
    window.addEventListener('online', go);
    document.addEventListener('visibilitychange', tryShop);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', go);
      document.removeEventListener('visibilitychange', tryShop);
    };
  }, [from]);
}

/** /offline: where the service worker leads when the network is away and the page was never seen here. */
export default function OfflineRoute() {
  useTitle('Offline');
  const [query] = useSearchParams();
  const from = query.get('from');
  useReturn(from);
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
        action={<Button onClick={() => window.location.assign(wantedPage(from))}>Try again</Button>}
      >
        This page has not been opened on this device before, so it has to wait for the network. It opens by itself once
        that is back. Your cart and your account are safe.
      </Empty>
      {shownPages.length > 0 && (
        <nav aria-labelledby="kept">
          <h2 id="kept">These still open</h2>
          <ul>
            {shownPages.map(({ path, title }) => (
              <li key={path}>
                <a className="link" href={path}>
                  {title || 'Home'}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}
