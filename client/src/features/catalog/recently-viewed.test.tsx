import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import RecentlyViewed from './recently-viewed';
import { seen } from './seen';
import { RecentlyViewedDocument, type RecentlyViewedQuery } from './recently-viewed.generated';

const shop = shopServer();
const seenIds = seen.read;

/** Reports at once that the section is near the viewport. */
function comesNear() {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      tell: (entries: { isIntersecting: boolean }[]) => void;
      constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
        this.tell = tell;
      }
      observe = () => this.tell([{ isIntersecting: true }]);
      disconnect = () => undefined;
    },
  );
}

const piece = (id: string) => ({ __typename: 'Product', id, name: `Piece ${id}`, colors: [] });
const answers = (...ids: (string | null)[]) =>
  Object.fromEntries(
    (['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const).map((alias, at) => [alias, ids[at] ? piece(ids[at]) : null]),
  ) as Record<keyof RecentlyViewedQuery, ReturnType<typeof piece> | null>;

const names = async () =>
  within(await screen.findByRole('list'))
    .getAllByRole('link')
    .map((link) => link.textContent);

beforeEach(() => {
  vi.unstubAllGlobals();
  comesNear();
});

test('the newest comes first, each once, and twelve are kept', () => {
  for (let id = 1; id <= 14; id += 1) seen.add(String(id));
  seen.add('10');

  expect(seenIds()).toEqual(['10', '14', '13', '12', '11', '9', '8', '7', '6', '5', '4', '3']);
});

test.each(['oops', '{"a":1}', '[1,null,""]'])('what somebody else wrote there, %s, is nothing', (text) => {
  localStorage.setItem('minimal:recently-viewed', text);

  expect(seenIds()).toEqual([]);
});

test('the others are shown, newest first and eight at most, and this one is noted', async () => {
  for (const id of ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'here']) seen.add(id);
  const requests = shop.answer(RecentlyViewedDocument, answers('9', '8', '7', '6', '5', '4', '3', '2'));

  renderShop(<RecentlyViewed productId="here" />);

  expect(await names()).toEqual(['9', '8', '7', '6', '5', '4', '3', '2'].map((id) => `Piece ${id}`));
  expect(requests).toEqual([{ a: '9', b: '8', c: '7', d: '6', e: '5', f: '4', g: '3', h: '2' }]);
  expect(seenIds()[0]).toBe('here');
});

test('a product that is no longer sold is forgotten', async () => {
  for (const id of ['1', 'gone', '3']) seen.add(id);
  shop.answer(RecentlyViewedDocument, answers('3', null, '1'));

  renderShop(<RecentlyViewed productId="here" />);

  await waitFor(() => expect(seenIds()).toEqual(['here', '3', '1']));
  await waitFor(async () => expect(await names()).toEqual(['Piece 3', 'Piece 1']));
});

test('nothing is forgotten because the server could not be asked', async () => {
  seen.add('1');
  shop.fail(RecentlyViewedDocument, 'INTERNAL');

  renderShop(<RecentlyViewed productId="here" />);

  await waitFor(() => expect(screen.queryByRole('heading')).toBeNull());
  expect(seenIds()).toEqual(['here', '1']);
});

test('somebody who has seen no other product sees no such section', () => {
  renderShop(<RecentlyViewed productId="here" />);

  expect(screen.queryByRole('heading')).toBeNull();
  expect(seenIds()).toEqual(['here']);
});

test('skeletons stand in until the section comes near, and nothing is asked for', () => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  seen.add('1');

  renderShop(<RecentlyViewed productId="here" />);

  expect(screen.getByRole('heading', { name: 'Recently viewed' })).toBeInTheDocument();
  expect(screen.queryByRole('link')).toBeNull();
});
