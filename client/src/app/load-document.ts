import { session } from '~/session/storage';
import { toastQueue } from '~/ui/toast';

/**
 * Leads from the shop to the back office or back, which are documents of their own: never resolves, so that the page
 * stands until the other one takes its place. Messages come along, that of a session's end included.
 */
export async function loadDocument(address: string, { replace = false } = {}): Promise<never> {
  toastQueue.carryOver();
  // Listeners of a session's end are called within this tick.
  await Promise.resolve();
  await session.announced();
  if (replace) window.location.replace(address);
  else window.location.assign(address);
  return new Promise(() => undefined);
}
