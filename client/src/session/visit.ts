import type { Kind } from './visit-batches';

/** Do Not Track or Global Privacy Control. */
function asksNotToBeFollowed(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === '1' || globalPrivacyControl === true;
}

/** Settles in the first idle moment after the load. */
function idle(): Promise<void> {
  return new Promise((settle) => {
    const wait = () => (window.requestIdleCallback ?? setTimeout)(() => settle());
    if (document.readyState === 'complete') wait();
    else window.addEventListener('load', wait, { once: true });
  });
}

let batches: Promise<typeof import('./visit-batches')> | undefined;

/**
 * Tells the shop's statistics what this visit did, some time later and without a name. A browser that asks not to be
 * followed is not; what cannot be told is forgotten. `session` is the payment's, of a checkout.
 */
export function track(kind: Kind, products: readonly string[], session?: string): void {
  if (asksNotToBeFollowed() || products.length === 0) return;
  const at = performance.now();
  batches ??= idle().then(() => import('./visit-batches'));
  batches.then(
    ({ note }) => note({ kind, products, at, session }),
    () => {
      batches = undefined;
    },
  );
}
