import { act, screen, waitFor } from '@testing-library/react';
import { delay } from 'msw';
import { afterEach, describe, expect, it } from 'vitest';
import { session } from '~/session/storage';
import { renderShop, shopServer } from '~/test/shop';
import { toastQueue } from '~/ui/toast';
import { Heart } from './heart';
import { AddToWishlistDocument, RemoveFromWishlistDocument } from './wish.generated';
import { WishedDocument } from './heart.generated';

const shop = shopServer();
const jean = { id: 'p1', name: 'Straight Jean' } as const;
const shirt = { id: 'p2', name: 'Oxford Shirt' } as const;

const list = (...productIds: string[]) => ({
  __typename: 'Wishlist' as const,
  id: 'w1',
  count: productIds.length,
  productIds,
});
const noted = () => JSON.parse(localStorage.getItem('minimal:wishlist') ?? '[]') as string[];
const heart = (name = 'Straight Jean') => screen.getByRole('button', { name: `Keep ${name} on the wishlist` });

function signedIn(...productIds: string[]) {
  act(() => session.signIn({ id: 'u1', name: 'Ada Lindqvist', email: 'ada@minimal.test', role: 'user' }));
  shop.answer(WishedDocument, { viewer: { __typename: 'Viewer', id: 'u1', wishlist: list(...productIds) } });
  return renderShop(<Heart product={jean} colorId="c1" />);
}

afterEach(() => act(() => session.signOut()));

describe("a visitor's heart", () => {
  it('keeps the product in this browser, the newest first, and takes it off again', async () => {
    const { user } = renderShop(
      <>
        <Heart product={jean} colorId="c1" />
        <Heart product={shirt} colorId={undefined} />
      </>,
    );

    await user.click(heart());
    await user.click(heart('Oxford Shirt'));
    expect(noted()).toEqual(['p2', 'p1']);
    expect(heart()).toHaveAttribute('aria-pressed', 'true');
    await user.click(heart('Oxford Shirt'));

    expect(noted()).toEqual(['p1']);
    expect(heart('Oxford Shirt')).toHaveAttribute('aria-pressed', 'false');
  });

  it('keeps the color that was in sight, the newest first', async () => {
    const { user } = renderShop(
      <>
        <Heart product={jean} colorId="c1" />
        <Heart product={jean} colorId="c2" />
      </>,
    );
    const [inFirst, inSecond] = screen.getAllByRole('button', { name: 'Keep Straight Jean on the wishlist' });

    for (const each of [inFirst, inSecond, inSecond]) await user.click(each ?? heart());

    expect(noted()).toEqual(['p1']);
    expect(localStorage.getItem('minimal:wishlist-colors')).toBe('["c2","c1"]');
  });

  it('is the same everywhere on the page', async () => {
    const { user } = renderShop(
      <>
        <Heart product={jean} colorId="c1" />
        <Heart product={jean} colorId="c1" onPicture />
      </>,
    );
    const hearts = screen.getAllByRole('button', { name: 'Keep Straight Jean on the wishlist' });

    await user.click(hearts[0] ?? heart());

    expect(hearts.map((each) => each.getAttribute('aria-pressed'))).toEqual(['true', 'true']);
  });

  it.each(['not json', '{"p1":true}', '[1,null,""]'])('is empty when the note is %s', (note) => {
    localStorage.setItem('minimal:wishlist', note);

    renderShop(<Heart product={jean} colorId="c1" />);

    expect(heart()).toHaveAttribute('aria-pressed', 'false');
  });
});

describe("a customer's heart", () => {
  it("shows the account's list and not the browser's", async () => {
    localStorage.setItem('minimal:wishlist', '["p2"]');

    signedIn('p1');

    await waitFor(() => expect(heart()).toHaveAttribute('aria-pressed', 'true'));
  });

  it('is filled before the server has answered, and stays when it has', async () => {
    const { user } = signedIn('p2');
    const release = shop.hold(AddToWishlistDocument, { addToWishlist: list('p1', 'p2') });
    await act(() => delay(100));

    await user.click(heart());

    await waitFor(() => expect(heart()).toHaveAttribute('aria-pressed', 'true'));
    release();
    await act(() => delay(100));
    expect(heart()).toHaveAttribute('aria-pressed', 'true');
    expect(noted()).toEqual([]);
  });

  it('keeps the color that is in sight', async () => {
    const requests = shop.answer(AddToWishlistDocument, { addToWishlist: list('p1', 'p2') });
    const { user } = signedIn('p2');

    await user.click(heart());

    await waitFor(() => expect(requests).toEqual([{ productId: 'p1', colorId: 'c1' }]));
  });

  it('takes the product off', async () => {
    const requests = shop.answer(RemoveFromWishlistDocument, { removeFromWishlist: list() });
    const { user } = signedIn('p1');
    await waitFor(() => expect(heart()).toHaveAttribute('aria-pressed', 'true'));

    await user.click(heart());

    await waitFor(() => expect(heart()).toHaveAttribute('aria-pressed', 'false'));
    await waitFor(() => expect(requests).toEqual([{ productId: 'p1' }]));
  });

  it.each([
    [
      'refuses',
      { addToWishlist: { __typename: 'WishlistFull', message: 'The wishlist is full.' } } as const,
      'The wishlist is full.',
    ],
    ['fails', null, 'The wishlist could not be changed. Please try again.'],
  ])('is empty again, and says why, when the server %s', async (_, data, message) => {
    if (data) shop.answer(AddToWishlistDocument, data);
    else shop.fail(AddToWishlistDocument, 'INTERNAL');
    const { user } = signedIn('p2');

    await user.click(heart());

    await waitFor(() => expect(toastQueue.first()?.text).toBe(message));
    expect(heart()).toHaveAttribute('aria-pressed', 'false');
  });
});
