import { ApolloClient, ApolloLink } from '@apollo/client';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ProfileDocument, useProfileQuery } from '~/session/session.generated';
import { renderShop, shopServer } from '~/test/shop';
import { makeCache } from './apollo';

const shop = shopServer();

function Name() {
  const { data, loading } = useProfileQuery();
  return <p>{loading ? 'loading' : (data?.viewer?.name ?? 'nobody')}</p>;
}

const ada = {
  __typename: 'Viewer' as const,
  id: 'u1',
  name: 'Ada',
  email: 'ada@minimal.test',
  role: 'USER' as const,
  isPrimaryAdmin: false,
  adminRequest: false,
};

function injected(answers: unknown): HTMLElement {
  const state = document.createElement('script');
  state.type = 'application/json';
  state.id = 'apollo-state';
  state.textContent = JSON.stringify(answers);
  document.body.append(state);
  return state;
}

test('what the server put into the page is there at once and is not asked for again', () => {
  const requests = shop.answer(ProfileDocument, { viewer: { ...ada, name: 'from the network' } });
  const state = injected([{ operation: 'Profile', variables: {}, data: { viewer: ada } }]);

  renderShop(<Name />);

  expect(screen.getByText('Ada')).toBeInTheDocument();
  expect(requests).toEqual([]);
  state.remove();
});

test('what was taken in ahead of the first render does not come back over what is newer', async () => {
  vi.resetModules();
  const { registerDocument, hydrateCache, writeInjected } = await import('~/graphql/injected');
  const client = new ApolloClient({ cache: makeCache(), link: ApolloLink.empty() });
  const state = injected([{ operation: 'Profile', variables: {}, data: { viewer: ada } }]);
  registerDocument(ProfileDocument);

  await hydrateCache(client);
  const first = client.readQuery({ query: ProfileDocument })?.viewer?.name;
  client.writeQuery({ query: ProfileDocument, data: { viewer: { ...ada, name: 'Ada King' } } });
  writeInjected(client, ProfileDocument);

  expect([first, client.readQuery({ query: ProfileDocument })?.viewer?.name]).toEqual(['Ada', 'Ada King']);
  state.remove();
});
