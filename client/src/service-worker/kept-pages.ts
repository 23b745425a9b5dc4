import { PAGES, TITLE } from './caches';

export interface KeptPage {
  path: string;
  title: string;
}

/** Pages that open without network, the last ones first. */
export async function keptPages(): Promise<KeptPage[]> {
  if (!('caches' in window)) return [];
  const cache = await caches.open(PAGES);
  const pages = await Promise.all(
    (await cache.keys()).map(async ({ url }) => {
      const page = await cache.match(url);
      const named = page?.headers.get(TITLE);
      const title = named ? decodeURIComponent(named) : titleIn((await page?.text()) ?? '');
      const { pathname, search } = new URL(url);
      return { path: pathname + search, title: title.replace(/ - Minimal$/, '') };
    }),
  );
  return pages.toReversed();
}

function titleIn(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').title;
}
