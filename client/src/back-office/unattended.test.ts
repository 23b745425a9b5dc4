import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from '@apollo/client';
import { fireEvent } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { unattended } from './unattended';

const MINUTE = 60_000;

afterEach(() => void vi.useRealTimers());

async function headersSent(): Promise<unknown> {
  let headers: unknown;
  const answer = new ApolloLink((operation) => {
    headers = operation.getContext()['headers'];
    return new Observable((observer) => {
      observer.next({ data: { a: 1 } });
      observer.complete();
    });
  });
  const client = new ApolloClient({ cache: new InMemoryCache(), link: unattended.concat(answer) });
  await client.query({
    query: gql`
      {
        a
      }
    `,
    fetchPolicy: 'no-cache',
    context: { headers: { other: 'x' } },
  });
  return headers;
}

it('marks requests after a minute without input, until the next input', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  fireEvent.pointerDown(document.body);
  const soon = await headersSent();
  vi.setSystemTime(Date.now() + MINUTE + 1);
  const later = await headersSent();
  fireEvent.keyDown(document.body);
  const again = await headersSent();

  expect(soon).toEqual({ other: 'x' });
  expect(later).toEqual({ other: 'x', 'x-unattended': '1' });
  expect(again).toEqual({ other: 'x' });
});
