import { afterEach, beforeEach, vi } from 'vitest';

interface SentEvent {
  kind: string;
  products: string[];
  session?: string;
}

/** Intercepts the events that a page reports; the returned function waits for some and clears them. */
export function visitListener() {
  let bodies: Blob[] = [];
  beforeEach(() => {
    bodies = [];
    Object.assign(navigator, { sendBeacon: (_: string, body: Blob) => bodies.push(body) > 0 });
  });
  afterEach(() => {
    window.dispatchEvent(new Event('pagehide'));
    Reflect.deleteProperty(navigator, 'sendBeacon');
  });

  return async (): Promise<SentEvent[]> => {
    await vi.waitFor(() => {
      window.dispatchEvent(new Event('pagehide'));
      if (bodies.length === 0) throw new Error('No event of the visit was sent.');
    }, 5000);
    const batches = await Promise.all(bodies.splice(0).map((body) => body.text()));
    return batches.flatMap((batch) =>
      (JSON.parse(batch) as { events: SentEvent[] }).events.map(({ kind, products, session }) => ({
        kind,
        products,
        session,
      })),
    );
  };
}
