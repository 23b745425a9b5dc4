import { SEEN_CACHES } from '~/service-worker/caches';

/** Drops what the service worker keeps of the pages, pictures and answers that somebody saw. */
export function forgetSeen(): void {
  if (!globalThis.caches) return;
  for (const name of Object.values(SEEN_CACHES)) {
    caches.delete(name).catch((error: unknown) => console.error('What was seen here is still kept.', error));
  }
}
