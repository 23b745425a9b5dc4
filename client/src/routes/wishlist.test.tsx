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

const product = (id: string, name: string) => ({
  ...jean({ id, name }),
  __typename: 'Product',
  colors: [{ __typename: 'Color', id: `c-${id}`, name: 'Indigo', hex: '#2e3f62', images: [] }],
});
const none = { a: null, b: null, c: null, d: null, e: null, f: null, g: null, h: null };
const noted = () => JSON.parse(localStorage.getItem('minimal:wishlist') ?? '[]') as string[];
const names = () => screen.queryAllByRole('article').map((card) => card.getAttribute('aria-label'));

function signedIn(...products: ReturnType<typeof product>[]) {
  act(() => session.signIn({ id: 'u1', name: 'Ada Lindqvist', email: 'ada@minimal.test', role: 'user' }));
  const productIds = products.map(({ id }) => id);
  const wishlist = { __typename: 'Wishlist', id: 'w1', count: products.length, productIds, products };
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
    signedIn(product('p1', 'Slim Jean'), product('p2', 'Oxford Shirt'));

    renderShop(<WishlistRoute />);

    await waitFor(() => expect(names()).toEqual(['Slim Jean', 'Oxford Shirt']));
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Keep Slim Jean on the wishlist' })).toHaveAttribute(
        'aria-pressed',
        'true',
      ),
    );
  });

  it('leads on when nothing is kept', async () => {
    signedIn();

    renderShop(<WishlistRoute />);

    expect(await screen.findByRole('heading', { name: 'Your wishlist is empty' })).toBeVisible();
  });

  it('can be asked for again when it could not be loaded', async () => {
    signedIn(product('p1', 'Slim Jean'));
    shop.fail(WishlistDocument, 'INTERNAL');
    const { user } = renderShop(<WishlistRoute />);
    await screen.findByRole('heading', { name: 'Your wishlist could not be loaded.' });

    signedIn(product('p1', 'Slim Jean'));
    await user.click(screen.getByRole('button', { name: 'Try again' }));

    await waitFor(() => expect(names()).toEqual(['Slim Jean']));
  });
});
