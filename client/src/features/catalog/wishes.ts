import { keptIds } from './kept-ids';

/** As many as the shop takes over at sign-in. */
const KEPT = 200;

const storedIds = keptIds('minimal:wishlist', KEPT);

/** The colors in which a visitor added products, of products that were taken off too. A color is that of one product. */
export const wishedColors = keptIds('minimal:wishlist-colors', KEPT);

/** What a visitor keeps an eye on, in all tabs of this browser. */
export const wishes = {
  ...storedIds,

  toggle(id: string, colorId: string | undefined) {
    if (storedIds.read().includes(id)) storedIds.forget([id]);
    else {
      storedIds.add(id);
      if (colorId) wishedColors.add(colorId);
    }
  },
};
