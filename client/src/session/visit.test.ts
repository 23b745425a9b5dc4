import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const beacon = vi.fn<(url: string, body: Blob) => boolean>();

/** A page of its own each time: what was noted before is not there. */
async function newPage() {
  vi.resetModules();
  return (await import('./visit')).track;
}

/** Waits until the reporting code has loaded. */
async function settle() {
  await vi.advanceTimersByTimeAsync(1);
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(1);
}

interface Batch {
  visit: string;
  events: { kind: string; products: string[]; ago: number; session?: string }[];
}

function told(): Promise<Batch[]> {
  return Promise.all(beacon.mock.calls.map(async ([, body]) => JSON.parse(await body.text()) as Batch));
}

function hide(state: DocumentVisibilityState) {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  beacon.mockReset().mockReturnValue(true);
  vi.stubGlobal('navigator', { doNotTrack: null, onLine: true, sendBeacon: beacon });
});
afterEach(() => {
  window.dispatchEvent(new Event('pagehide'));
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('what happens in a visit', () => {
  it('is told in one batch after ten seconds, with how long ago it was and a random number of the tab', async () => {
    const track = await newPage();

    track('viewed', ['p1']);
    await settle();
    await vi.advanceTimersByTimeAsync(4000);
    track('checkout', ['p1', 'p2'], 'cs_1');
    await vi.advanceTimersByTimeAsync(5000);
    const early = beacon.mock.calls.length;
    await vi.advanceTimersByTimeAsync(1000);

    expect(early).toBe(0);
    expect(beacon.mock.calls.map(([url, body]) => [url, body.type])).toEqual([['/events', 'application/json']]);
    const [batch] = await told();
    expect(batch?.visit).toMatch(/^[0-9a-f]{32}$/);
    expect(batch?.visit).toBe(sessionStorage.getItem('minimal:visit'));
    expect(batch?.events.map(({ kind, products, session }) => ({ kind, products, session }))).toEqual([
      { kind: 'viewed', products: ['p1'] },
      { kind: 'checkout', products: ['p1', 'p2'], session: 'cs_1' },
    ]);
    expect(batch?.events.map(({ ago }) => Math.round(ago / 1000))).toEqual([10, 6]);
  });

  it('is noted in an idle moment after the load, and no earlier', async () => {
    const loading = vi.spyOn(document, 'readyState', 'get').mockReturnValue('interactive');
    const track = await newPage();
    track('viewed', ['p1']);
    await settle();
    window.dispatchEvent(new Event('pagehide'));
    const before = beacon.mock.calls.length;

    loading.mockReturnValue('complete');
    window.dispatchEvent(new Event('load'));
    await settle();
    window.dispatchEvent(new Event('pagehide'));

    expect(before).toBe(0);
    expect(beacon).toHaveBeenCalledOnce();
  });

  it('is told at once when the page is left or hidden', async () => {
    const track = await newPage();
    track('viewed', ['p1']);
    await settle();

    hide('hidden');
    hide('visible');
    track('added', ['p1']);
    await settle();
    window.dispatchEvent(new Event('pagehide'));

    expect((await told()).map(({ events }) => events.map(({ kind }) => kind))).toEqual([['viewed'], ['added']]);
  });

  it('keeps its number from page to page of the tab', async () => {
    for (let page = 0; page < 2; page += 1) {
      const track = await newPage();
      track('viewed', ['p1']);
      await settle();
      window.dispatchEvent(new Event('pagehide'));
    }

    const visits = (await told()).map(({ visit }) => visit);
    expect(visits).toHaveLength(2);
    expect(new Set(visits).size).toBe(1);
  });

  it('is split into batches that the server takes', async () => {
    const track = await newPage();
    for (let count = 0; count < 60; count += 1) track('viewed', ['p1']);
    await settle();

    window.dispatchEvent(new Event('pagehide'));

    expect((await told()).map(({ events }) => events.length)).toEqual([50, 10]);
  });

  it.each([{ doNotTrack: '1' }, { globalPrivacyControl: true }])("is nobody's business for %o", async (wish) => {
    vi.stubGlobal('navigator', { onLine: true, sendBeacon: beacon, ...wish });
    const track = await newPage();

    track('viewed', ['p1']);
    await settle();
    window.dispatchEvent(new Event('pagehide'));

    expect(beacon).not.toHaveBeenCalled();
    expect(sessionStorage).toHaveLength(0);
  });

  it('is forgotten without network', async () => {
    vi.stubGlobal('navigator', { onLine: false, sendBeacon: beacon });
    const track = await newPage();
    track('viewed', ['p1']);
    await settle();

    window.dispatchEvent(new Event('pagehide'));

    expect(beacon).not.toHaveBeenCalled();
  });

  it('goes another way when the browser takes no beacon, and nobody hears of a failure', async () => {
    beacon.mockReturnValue(false);
    const fetched = vi.fn<typeof fetch>().mockRejectedValue(new TypeError('Failed to fetch'));
    vi.stubGlobal('fetch', fetched);
    const track = await newPage();
    track('added', ['p1']);
    await settle();

    window.dispatchEvent(new Event('pagehide'));
    await settle();

    expect(fetched).toHaveBeenCalledExactlyOnceWith(
      '/events',
      expect.objectContaining({ method: 'POST', keepalive: true, credentials: 'omit' }),
    );
  });
});
