import { keptIds } from './kept-ids';

/** As many as the shop takes over at sign-in. */
const KEPT = 200;

const storedIds = keptIds('minimal:wishlist', KEPT);

/** What a visitor keeps an eye on, in all tabs of this browser. */
export const wishes = {
  ...storedIds,

  toggle(id: string) {
    if (storedIds.read().includes(id)) storedIds.forget([id]);
    else storedIds.add(id);
  },
};
