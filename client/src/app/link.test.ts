import { ApolloClient, InMemoryCache } from '@apollo/client';
import { parse } from 'graphql';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { shopServer } from '~/test/shop';
import { createLink } from './link';

const shop = shopServer();
const ENDPOINT = 'http://shop.test/graphql';
const QUERY = parse('query Names { names }');
const MUTATION = parse('mutation Rename { rename }');

/** Refuses so many requests, with that header, before it answers. Returns how many it got. */
function refuseFirst(refused: number, headers: Record<string, string> = { 'retry-after': '2' }) {
  const got = { requests: 0 };
  shop.use(
    http.post(ENDPOINT, () => {
      got.requests += 1;
      if (got.requests > refused) return HttpResponse.json({ data: { names: 'Jean', rename: true } });
      return HttpResponse.json({ errors: [{ message: 'Later.' }] }, { status: 503, headers });
    }),
  );
  return got;
}

const client = () => new ApolloClient({ cache: new InMemoryCache(), link: createLink(ENDPOINT) });

beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => vi.useRealTimers());

test('a query that a busy server puts off is asked again after the time that the server named', async () => {
  const got = refuseFirst(1);

  const response = client().query({ query: QUERY });
  await vi.waitFor(() => expect(got.requests).toBe(1));
  await vi.advanceTimersByTimeAsync(1_500);
  expect(got.requests).toBe(1);
  await vi.advanceTimersByTimeAsync(1_500);

  expect((await response).data).toEqual({ names: 'Jean' });
  expect(got.requests).toBe(2);
});

test('it is asked three times, and then fails', async () => {
  const got = refuseFirst(9);

  const response = client().query({ query: QUERY });
  const failure = expect(response).rejects.toThrow('503');
  await vi.advanceTimersByTimeAsync(9_000);

  await failure;
  expect(got.requests).toBe(3);
});

test.each([
  ['a mutation', refuseFirst, () => client().mutate({ mutation: MUTATION })],
  [
    'a query that is not asked to come again',
    (n: number) => refuseFirst(n, {}),
    () => client().query({ query: QUERY }),
  ],
])('%s is sent once', async (_, refuse, send) => {
  const got = refuse(9);

  const failure = expect(send()).rejects.toThrow('503');
  await vi.advanceTimersByTimeAsync(9_000);

  await failure;
  expect(got.requests).toBe(1);
});
