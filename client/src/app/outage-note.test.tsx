import { useQuery } from '@apollo/client/react';
import { act, screen, waitFor } from '@testing-library/react';
import { parse } from 'graphql';
import { http, HttpResponse } from 'msw';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { Layout } from './layout';
import { outage } from './outage';
import { texts } from './texts';

const shop = shopServer();
const NAMES = parse('query Names { names }');
const ENDPOINT = 'http://shop.test/graphql';
const STALE = { 'server-timing': 'stale' };

const readyz = (status: number) => http.get('*/readyz', () => new HttpResponse(null, { status }));
const names = (name: string, init = {}) =>
  http.post(ENDPOINT, () => HttpResponse.json({ data: { names: name } }, init));

function Names() {
  const { data, error } = useQuery<{ names: string }>(NAMES);
  return <h1>{data?.names ?? (error ? 'Failed' : 'Loading')}</h1>;
}

const open = () =>
  renderShop(
    <Routes>
      <Route element={<Layout />}>
        <Route path="/about" element={<Names />} />
      </Route>
    </Routes>,
    '/about',
  );

const note = () => screen.queryByText(texts.away);
const heading = (name: string) => screen.findByRole('heading', { name });

beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => {
  act(() => outage.observe(new Response()));
  vi.useRealTimers();
});

test('a fresh answer says nothing', async () => {
  shop.use(names('Jean'), readyz(200));

  open();

  expect(await heading('Jean')).toBeVisible();
  expect(note()).toBeNull();
});

test.each([
  ['an answer from before', 'Jean', names('Jean', { headers: STALE })],
  [
    'a refusal',
    'Failed',
    http.post(ENDPOINT, () => HttpResponse.json({ errors: [{ message: 'Later.' }] }, { status: 503 })),
  ],
])('%s is said to be one, quietly, until the shop is back; then everything is asked anew', async (_, shown, answer) => {
  shop.use(answer, readyz(503));
  open();
  expect(await heading(shown)).toBeVisible();
  expect(await screen.findByText(texts.away)).toBeVisible();
  expect(note()?.closest('[role=status]')).not.toBeNull();

  await act(() => vi.advanceTimersByTimeAsync(9_000));
  expect(note()).toBeVisible();
  shop.use(names('Shirt'), readyz(200));
  await act(() => vi.advanceTimersByTimeAsync(5_000));

  expect(await heading('Shirt')).toBeVisible();
  await waitFor(() => expect(note()).toBeNull());
});

test('a browser without server timings takes the shop to be there', async () => {
  vi.resetModules();
  vi.stubGlobal('performance', Object.assign(performance, { getEntriesByType: () => [{ entryType: 'navigation' }] }));

  const fresh = await import('./outage');

  expect(fresh.outage.isAway()).toBe(false);
  vi.unstubAllGlobals();
});

test('a page that came from before is said to be one before anything is asked', async () => {
  vi.resetModules();
  vi.stubGlobal(
    'performance',
    Object.assign(performance, { getEntriesByType: () => [{ serverTiming: [{ name: 'stale' }] }] }),
  );

  const fresh = await import('./outage');

  expect(fresh.outage.isAway()).toBe(true);
  vi.unstubAllGlobals();
});
