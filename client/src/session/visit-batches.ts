import { randomId } from '~/ui/random-id';
import { stored } from '~/ui/stored';

export type Kind = 'viewed' | 'added' | 'checkout';

interface Happening {
  kind: Kind;
  products: readonly string[];
  /** By performance.now(), which the user cannot change. */
  at: number;
  session: string | undefined;
}

const PATH = '/events';
const storedVisit = stored('minimal:visit');
const EVERY_MS = 10_000;
/** What the server takes at once, of events, of products in one, and of time passed. */
const MOST = { events: 50, products: 90, ago: 600_000 } as const;

let noted: Happening[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let unkept: string | undefined;

/** The random number of this tab, gone with it and with its person. In a browser that forbids storage it lasts as long as the page. */
function visit(): string {
  const number = storedVisit.read();
  if (number) return number;
  storedVisit.write(randomId());
  return storedVisit.read() ?? (unkept ??= randomId());
}

function send(events: readonly Happening[]) {
  const now = performance.now();
  const sentEvents = events.map(({ kind, products, at, session }) => ({
    kind,
    products: products.slice(0, MOST.products),
    ago: Math.min(Math.round(now - at), MOST.ago),
    session,
  }));
  const body = new Blob([JSON.stringify({ visit: visit(), events: sentEvents })], { type: 'application/json' });
  if (navigator.sendBeacon?.(PATH, body)) return;
  // A lost event is acceptable: statistics do not affect the shop.
  fetch(PATH, { method: 'POST', body, keepalive: true, credentials: 'omit' }).catch(() => undefined);
}

function flush() {
  clearTimeout(timer);
  timer = undefined;
  const events = noted;
  noted = [];
  if (!navigator.onLine) return;
  for (let from = 0; from < events.length; from += MOST.events) send(events.slice(from, from + MOST.events));
}

/** Keeps an event until the next batch goes out: after ten seconds, or when the page is left. */
export function note(happening: Happening): void {
  noted.push(happening);
  timer ??= setTimeout(flush, EVERY_MS);
  if (document.visibilityState === 'hidden') flush();
}

window.addEventListener('pagehide', flush);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') flush();
});
