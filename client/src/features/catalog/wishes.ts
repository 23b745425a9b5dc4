import { keptIds } from './kept-ids';

/** As many as the shop takes over at sign-in. */
const KEPT = 200;

const kept = keptIds('minimal:wishlist', KEPT);

/** What a visitor keeps an eye on, in all tabs of this browser. */
export const wishes = {
  ...kept,

  toggle(id: string) {
    if (kept.read().includes(id)) kept.forget([id]);
    else kept.add(id);
  },
};
