type Cursor = string | null;

const shownLists = new Map<string, readonly Cursor[]>();

/**
 * The pages of a list that are on the screen, each by the cursor it begins after; the last is the address's.
 * Coming back to a list finds its pages as they were; an address opened afresh begins where it says.
 */
export function shownPages(listKey: string, after: Cursor): readonly Cursor[] {
  if (after === null) return [null];
  const pages = shownLists.get(listKey) ?? [];
  const at = pages.indexOf(after);
  return at >= 0 ? pages.slice(0, at + 1) : [after];
}

/** Puts a page under the shown ones; the address must then say its cursor. */
export function rememberPages(listKey: string, pages: readonly Cursor[]): void {
  shownLists.set(listKey, pages);
}
