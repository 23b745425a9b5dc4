/// <reference lib="webworker" />
import { FILES, OFFLINE, PAGES, SEEN_CACHES } from './caches';

declare const self: ServiceWorkerGlobalScope;
/** The chunks of the offline page, beside those that its HTML names; vite.service-worker.config.ts lists them. */
declare const OFFLINE_FILES: readonly string[];

/** How much of each is kept; what came first goes first. */
const MOST: Record<string, number> = {
  [FILES]: 300,
  [PAGES]: 80,
  [SEEN_CACHES.pictures]: 400,
  [SEEN_CACHES.answers]: 200,
};

/** Only responses that the server marks as public are ever cached. */
function isForEverybody(response: Response): boolean {
  const directives =
    response.headers
      .get('cache-control')
      ?.split(',')
      .map((word) => word.trim()) ?? [];
  return (
    response.status === 200 && !response.redirected && directives.includes('public') && !directives.includes('no-store')
  );
}

async function keep(name: string, key: RequestInfo, response: Response): Promise<void> {
  if (!isForEverybody(response)) return;
  const cache = await caches.open(name);
  await cache.put(key, response);
  const requests = await cache.keys();
  await Promise.all(
    requests.slice(0, Math.max(0, requests.length - (MOST[name] ?? 0))).map((old) => cache.delete(old)),
  );
}

/** A kept file never changes: its name is a hash. */
async function fromCacheFirst(name: string, event: FetchEvent): Promise<Response> {
  const cached = await caches.match(event.request, { cacheName: name });
  if (cached) return cached;
  const response = await fetch(event.request);
  event.waitUntil(keep(name, event.request, response.clone()));
  return response;
}

async function fromNetworkFirst(name: string, event: FetchEvent, key: RequestInfo, without: () => Promise<Response>) {
  try {
    const response = (await (event.preloadResponse as Promise<Response | undefined>)) ?? (await fetch(event.request));
    event.waitUntil(keep(name, key, response.clone()));
    return response;
  } catch {
    return (await caches.match(key, { cacheName: name })) ?? without();
  }
}

/** The question itself is the key: a POST has no address of its own. */
async function answer(event: FetchEvent): Promise<Response> {
  const body = await event.request.clone().arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  const key = `/graphql?${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  return fromNetworkFirst(SEEN_CACHES.answers, event, key, unreachable);
}

const unreachable = () => Promise.resolve(Response.error());

function page(event: FetchEvent): Promise<Response> {
  const { url } = event.request;
  const { pathname, search } = new URL(url);
  const from = encodeURIComponent(pathname + search);
  return fromNetworkFirst(PAGES, event, url, () => Promise.resolve(Response.redirect(`${OFFLINE}?from=${from}`, 302)));
}

async function offlinePage(event: FetchEvent): Promise<Response> {
  return (await caches.match(OFFLINE, { cacheName: FILES })) ?? fetch(event.request);
}

/** The page that says so, what it needs, and nothing else, ahead of any need. */
async function install(): Promise<void> {
  const page = await fetch(OFFLINE, { cache: 'no-store' });
  const named = [...(await page.clone().text()).matchAll(/(?:href|src)="(\/(?:assets\/[^"]+|early\.js))"/g)];
  const cache = await caches.open(FILES);
  await cache.addAll([...new Set([...named.flatMap(([, file]) => file ?? []), ...OFFLINE_FILES])]);
  await cache.put(OFFLINE, page);
  await self.skipWaiting();
}

async function activate(): Promise<void> {
  await self.registration.navigationPreload.enable();
  await self.clients.claim();
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.method === 'POST' && pathname === '/graphql') event.respondWith(answer(event));
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate') event.respondWith(pathname === OFFLINE ? offlinePage(event) : page(event));
  else if (pathname.startsWith('/assets/')) event.respondWith(fromCacheFirst(FILES, event));
  else if (pathname.startsWith('/images/')) event.respondWith(fromCacheFirst(SEEN_CACHES.pictures, event));
  else if (pathname === '/early.js') event.respondWith(fromNetworkFirst(FILES, event, request, unreachable));
});
