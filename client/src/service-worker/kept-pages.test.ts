import { afterEach, expect, it, vi } from 'vitest';
import { keptPages } from './kept-pages';

/** As the service worker has kept them, the first one first. */
function kept(pages: Readonly<Record<string, string>>) {
  const responses = new Map(
    Object.entries(pages).map(([path, title]) => [
      `http://shop.test${path}`,
      new Response('', { headers: { 'x-title': encodeURIComponent(`${title} - Minimal`) } }),
    ]),
  );
  const cache = {
    keys: () => Promise.resolve([...responses.keys()].map((url) => ({ url }))),
    match: (url: string) => Promise.resolve(responses.get(url)),
  };
  vi.stubGlobal('caches', { open: () => Promise.resolve(cache) });
}

afterEach(() => vi.unstubAllGlobals());

it('lists what was opened once, the last first, at the address that was opened last', async () => {
  kept({
    '/product/p1': 'Oxford Shirt',
    '/category/men?size=M': "Men's Collection",
    '/product/p2': 'Straight Jean',
    '/product/p1?variant=v1&quantity=2': 'Oxford Shirt',
    '/category/men': "Men's Collection",
    '/product/p1?variant=v2': 'Oxford Shirt',
  });

  expect(await keptPages()).toEqual([
    { path: '/product/p1?variant=v2', title: 'Oxford Shirt' },
    { path: '/category/men', title: "Men's Collection" },
    { path: '/product/p2', title: 'Straight Jean' },
  ]);
});

it('lists searches for other words, and products of the same name, one by one', async () => {
  kept({
    '/search?q=linen': 'Search: linen',
    '/search?q=wool': 'Search: wool',
    '/search?q=wool&sort=price': 'Search: wool',
    '/product/p1': 'Oxford Shirt',
    '/product/p2': 'Oxford Shirt',
  });

  expect((await keptPages()).map(({ path }) => path)).toEqual([
    '/product/p2',
    '/product/p1',
    '/search?q=wool&sort=price',
    '/search?q=linen',
  ]);
});
