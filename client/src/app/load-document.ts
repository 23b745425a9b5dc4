import { toastQueue } from '~/ui/toast';

/**
 * Leads from the shop to the back office or back, which are documents of their own: never resolves, so that the page
 * stands until the other one takes its place. Messages that are still to be read come along.
 */
export function loadDocument(address: string, { replace = false } = {}): Promise<never> {
  toastQueue.carryOver();
  if (replace) window.location.replace(address);
  else window.location.assign(address);
  return new Promise(() => undefined);
}
