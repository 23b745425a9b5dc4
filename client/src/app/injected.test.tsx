import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useProfileQuery } from '~/session/session.generated';
import { renderShop, shopServer } from '~/test/shop';

const shop = shopServer();

function Name() {
  const { data, loading } = useProfileQuery();
  return <p>{loading ? 'loading' : (data?.viewer?.name ?? 'nobody')}</p>;
}

const ada = {
  __typename: 'Viewer',
  id: 'u1',
  name: 'Ada',
  email: 'ada@minimal.test',
  role: 'USER',
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
  const asked = shop.answer('Profile', { viewer: { ...ada, name: 'from the network' } });
  const state = injected([{ operation: 'Profile', variables: {}, data: { viewer: ada } }]);

  renderShop(<Name />);

  expect(screen.getByText('Ada')).toBeInTheDocument();
  expect(asked).toEqual([]);
  state.remove();
});
