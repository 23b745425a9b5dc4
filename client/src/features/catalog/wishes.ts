import { keptIds } from './kept-ids';

const KEY = 'minimal:wishlist';

/** As many as the shop takes over at sign-in. */
const KEPT = 200;

const kept = keptIds(KEY, KEPT);

// The server draws the screens too, without a window.
globalThis.window?.addEventListener('storage', ({ key }) => {
  if (key === KEY || key === null) kept.tell();
});

/** What a visitor keeps an eye on, in all tabs of this browser. */
export const wishes = {
  ...kept,

  toggle(id: string) {
    if (kept.idsOf(kept.noted()).includes(id)) kept.forget([id]);
    else kept.add(id);
  },
};
