import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { jean } from '~/features/catalog/fixtures';
import { session } from '~/session/storage';
import { renderShop, shopServer } from '~/test/shop';
import WishlistRoute from './wishlist';
import { VisitorWishlistDocument } from '~/features/catalog/visitor-wishlist.generated';
import { WishedDocument } from '~/features/catalog/heart.generated';
import { WishlistDocument } from './wishlist.generated';

const shop = shopServer();

const product = (id: string, name: string, ...names: string[]) => ({
  ...jean({ id, name }),
  __typename: 'Product',
  colors: ['Indigo', ...names].map((color) => ({
    __typename: 'Color',
    id: `${color}-${id}`,
    name: color,
    hex: '#2e3f62',
    images: [],
  })),
});
const item = (of: ReturnType<typeof product>, colorId = of.colors[0]?.id ?? '') => ({
  __typename: 'WishlistItem',
  product: of,
  color: { __typename: 'Color', id: colorId },
});
const link = () => screen.getByRole('link', { name: 'Slim Jean' }).getAttribute('href');
const none = { a: null, b: null, c: null, d: null, e: null, f: null, g: null, h: null };
const noted = () => JSON.parse(localStorage.getItem('minimal:wishlist') ?? '[]') as string[];
const names = () => screen.queryAllByRole('article').map((card) => card.getAttribute('aria-label'));

function signedIn(...items: ReturnType<typeof item>[]) {
  act(() => session.signIn({ id: 'u1', name: 'Ada Lindqvist', email: 'ada@minimal.test', role: 'user' }));
  const productIds = items.map(({ product: { id } }) => id);
  const wishlist = { __typename: 'Wishlist', id: 'w1', count: items.length, productIds, items };
  shop.answer(WishlistDocument, { viewer: { __typename: 'Viewer', id: 'u1', wishlist } });
  shop.answer(WishedDocument, {
    viewer: { __typename: 'Viewer', id: 'u1', wishlist: { __typename: 'Wishlist', id: 'w1', productIds } },
  });
}

afterEach(() => act(() => session.signOut()));

describe("a visitor's wishlist", () => {
  it('leads on when nothing is kept', () => {
    renderShop(<WishlistRoute />);

    expect(screen.getByRole('heading', { name: 'Your wishlist is empty' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Continue Shopping' })).toHaveAttribute('href', '/');
  });

  it('shows what this browser keeps, newest first, and forgets what is no longer sold', async () => {
    localStorage.setItem('minimal:wishlist', '["p2","gone","p1"]');
    const requests = shop.answer(VisitorWishlistDocument, {
      ...none,
      a: product('p2', 'Oxford Shirt'),
      c: product('p1', 'Slim Jean'),
    });

    renderShop(<WishlistRoute />);

    await waitFor(() => expect(names()).toEqual(['Oxford Shirt', 'Slim Jean']));
    expect(requests).toEqual([{ a: 'p2', b: 'gone', c: 'p1', d: '', e: '', f: '', g: '', h: '' }]);
    await waitFor(() => expect(noted()).toEqual(['p2', 'p1']));
  });

  it.each([
    ['the color in which it was kept last', '["gone","Black-p1","Indigo-p1"]', 'Black', '/product/p1?color=Black'],
    ['the first, when none that was kept is there', '["gone"]', 'Indigo', '/product/p1'],
  ])('shows a piece in %s', async (_, colors, shown, address) => {
    localStorage.setItem('minimal:wishlist', '["p1"]');
    localStorage.setItem('minimal:wishlist-colors', colors);
    shop.answer(VisitorWishlistDocument, { ...none, a: product('p1', 'Slim Jean', 'Black') });

    renderShop(<WishlistRoute />);

    expect(await screen.findByRole('radio', { name: shown })).toBeChecked();
    expect(link()).toBe(address);
  });

  it('is empty when everything kept is no longer sold', async () => {
    localStorage.setItem('minimal:wishlist', '["gone"]');
    shop.answer(VisitorWishlistDocument, none);

    renderShop(<WishlistRoute />);

    expect(await screen.findByRole('heading', { name: 'Your wishlist is empty' })).toBeVisible();
  });

  it('leaves a piece that is taken off in sight, to be taken back', async () => {
    localStorage.setItem('minimal:wishlist', '["p1"]');
    shop.answer(VisitorWishlistDocument, { ...none, a: product('p1', 'Slim Jean') });
    const { user } = renderShop(<WishlistRoute />);

    await user.click(await screen.findByRole('button', { name: 'Keep Slim Jean on the wishlist' }));

    expect(noted()).toEqual([]);
    expect(names()).toEqual(['Slim Jean']);
  });

  it('says when it could not be loaded', async () => {
    localStorage.setItem('minimal:wishlist', '["p1"]');
    shop.fail(VisitorWishlistDocument, 'INTERNAL');

    renderShop(<WishlistRoute />);

    expect(await screen.findByRole('heading', { name: 'Your wishlist could not be loaded.' })).toBeVisible();
  });
});

describe("a customer's wishlist", () => {
  it('shows what the account keeps, each with a filled heart', async () => {
    signedIn(item(product('p1', 'Slim Jean')), item(product('p2', 'Oxford Shirt')));

    renderShop(<WishlistRoute />);

    await waitFor(() => expect(names()).toEqual(['Slim Jean', 'Oxford Shirt']));
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Keep Slim Jean on the wishlist' })).toHaveAttribute(
        'aria-pressed',
        'true',
      ),
    );
  });

  it('shows each in the color in which it was kept', async () => {
    signedIn(item(product('p1', 'Slim Jean', 'Black'), 'Black-p1'));

    renderShop(<WishlistRoute />);

    expect(await screen.findByRole('radio', { name: 'Black' })).toBeChecked();
    expect(link()).toBe('/product/p1?color=Black');
  });

  it('leads on when nothing is kept', async () => {
    signedIn();

    renderShop(<WishlistRoute />);

    expect(await screen.findByRole('heading', { name: 'Your wishlist is empty' })).toBeVisible();
  });

  it('can be asked for again when it could not be loaded', async () => {
    signedIn(item(product('p1', 'Slim Jean')));
    shop.fail(WishlistDocument, 'INTERNAL');
    const { user } = renderShop(<WishlistRoute />);
    await screen.findByRole('heading', { name: 'Your wishlist could not be loaded.' });

    signedIn(item(product('p1', 'Slim Jean')));
    await user.click(screen.getByRole('button', { name: 'Try again' }));

    await waitFor(() => expect(names()).toEqual(['Slim Jean']));
  });
});
