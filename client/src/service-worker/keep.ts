import { matchPath } from 'react-router';
import { shop } from '~routes';
import { FILES, OFFLINE, PAGES, SEEN_CACHES, TITLE } from './caches';

/** Whether a page is public, so that it may be cached. */
export function isPublic(pathname: string): boolean {
  return Object.entries(shop).some(
    ([path, kind]) => (kind === 'indexed' || kind === 'open') && matchPath(path, pathname),
  );
}

/** What the page itself fetched before the worker could see it comes out of the browser's own cache here. */
async function keepWhatIsLoaded(): Promise<void> {
  const loaded = new Set(performance.getEntriesByType('resource').map(({ name }) => name));
  const caught = { [FILES]: '/assets/', [SEEN_CACHES.pictures]: '/images/' };
  for (const [name, folder] of Object.entries(caught)) {
    const cache = await caches.open(name);
    for (const url of loaded) {
      if (!url.startsWith(location.origin + folder)) continue;
      // One by one, so that the page can be used meanwhile. What has gone since is fetched again when it is needed.
      await cache.add(url).catch(() => undefined);
    }
  }
}

let started: Promise<unknown> | undefined;

/** Registers the service worker; the first page of a first visit is kept as it came. */
async function start(href: string): Promise<void> {
  const isFirst = !navigator.serviceWorker.controller;
  await navigator.serviceWorker.register('/sw.js');
  await navigator.serviceWorker.ready;
  if (!isFirst) return;
  await keepWhatIsLoaded();
  if (!isPublic(new URL(href).pathname)) return;
  const page = await fetch(href);
  if (page.ok && !page.redirected) await (await caches.open(PAGES)).put(href, page);
}

/**
 * Makes a visited public page open again without network: the empty page at its address,
 * whose screen and answers the worker has kept on the way.
 */
export async function keepPage(href: string): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const isFirst = !started;
  await (started ??= start(href));
  const { pathname } = new URL(href);
  const cache = await caches.open(PAGES);
  const cached = await cache.match(href);
  // A page that was kept before its name was there gets it at the next visit.
  const isNamed = cached && [null, encodeURIComponent(document.title)].includes(cached.headers.get(TITLE));
  if (isFirst || !isPublic(pathname) || isNamed) return;
  const shell = await caches.match(OFFLINE, { cacheName: FILES });
  if (!shell) return;
  const headers = { 'content-type': 'text/html; charset=utf-8', [TITLE]: encodeURIComponent(document.title) };
  const policy = shell.headers.get('content-security-policy');
  await cache.put(
    href,
    new Response(await shell.text(), { headers: { ...headers, ...(policy && { 'content-security-policy': policy }) } }),
  );
}
