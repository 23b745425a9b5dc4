import { act, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import OfflineRoute from './offline';

const replace = vi.fn<(url: string) => void>();
const fetched = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.stubGlobal('location', { origin: 'http://shop.test', replace });
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  replace.mockReset();
  fetched.mockReset();
});

async function open(at: string) {
  render(
    <MemoryRouter initialEntries={[at]}>
      <OfflineRoute />
    </MemoryRouter>,
  );
  expect(await screen.findByRole('heading', { name: 'You are offline' })).toBeVisible();
}

it('opens the page that was requested once the browser has a network again', async () => {
  await open('/offline?from=%2Fcategory%2Fmen%3Fsize%3DM');
  expect(replace).not.toHaveBeenCalled();

  act(() => void window.dispatchEvent(new Event('online')));

  expect(replace.mock.calls).toEqual([['/category/men?size=M']]);
  expect(fetched).not.toHaveBeenCalled();
});

it('opens it when the shop answers again and the network was never away', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  fetched.mockRejectedValueOnce(new TypeError('away'));
  fetched.mockResolvedValueOnce(new Response('', { status: 503 }));
  fetched.mockResolvedValueOnce(new Response(''));
  await open('/offline?from=%2Fabout');

  for (const calls of [[], [], [['/about']]]) {
    await act(() => vi.advanceTimersByTimeAsync(5000));
    expect(replace.mock.calls).toEqual(calls);
  }
});

it.each(['https://evil.test/', '//evil.test/'])('leads home instead of to %s', async (from) => {
  await open(`/offline?from=${encodeURIComponent(from)}`);

  act(() => void window.dispatchEvent(new Event('online')));

  expect(replace.mock.calls).toEqual([['/']]);
});

it('stays where somebody came by a link, without a page that was requested', async () => {
  await open('/offline');

  act(() => void window.dispatchEvent(new Event('online')));

  expect(replace).not.toHaveBeenCalled();
});
