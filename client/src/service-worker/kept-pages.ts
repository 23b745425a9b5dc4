import { shopName } from '~/ui/shop-name';
import { PAGES, TITLE } from './caches';

export interface KeptPage {
  path: string;
  title: string;
}

/** What a page shows: its query chooses a color or narrows a list, but a search is another one for other words. */
function subject({ pathname, searchParams }: URL): string {
  return pathname === '/search' ? `${pathname}?${searchParams.get('q') ?? ''}` : pathname;
}

/** Pages that open without network, the last ones first; of those that show the same, the last. */
export async function keptPages(): Promise<KeptPage[]> {
  if (!('caches' in window)) return [];
  const cache = await caches.open(PAGES);
  const latest = new Map<string, URL>();
  for (const { url } of (await cache.keys()).toReversed()) {
    const address = new URL(url);
    const shown = subject(address);
    if (!latest.has(shown)) latest.set(shown, address);
  }
  return Promise.all(
    [...latest.values()].map(async ({ href, pathname, search }) => {
      const page = await cache.match(href);
      const named = page?.headers.get(TITLE);
      const title = named ? decodeURIComponent(named) : titleIn((await page?.text()) ?? '');
      return { path: pathname + search, title: untitled(title) };
    }),
  );
}

/** The page's own name. */
function untitled(title: string): string {
  const name = shopName();
  if (title === name) return '';
  return title.endsWith(` - ${name}`) ? title.slice(0, -` - ${name}`.length) : title;
}

function titleIn(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').title;
}
