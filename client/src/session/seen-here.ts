import { SEEN_CACHES } from '~/service-worker/caches';

/** Drops the service worker's caches of pages, images and responses that the user has seen. */
export function forgetSeen(): void {
  if (!globalThis.caches) return;
  for (const name of Object.values(SEEN_CACHES)) {
    caches.delete(name).catch((error: unknown) => console.error('What was seen here is still kept.', error));
  }
}
