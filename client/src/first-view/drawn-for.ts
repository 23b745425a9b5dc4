import type { StoredUser } from '~/session/stored-user';

let user: StoredUser | null = null;

/** Begins rendering a page for one account, or for all visitors. */
export function drawFor(owner: StoredUser | null): void {
  user = owner;
}

/** Takes the place of the browser's, which finds in the page whom it was drawn for. */
export const drawnFor = (): StoredUser | null => user;
