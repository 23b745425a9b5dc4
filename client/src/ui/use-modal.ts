import { type RefObject, useLayoutEffect } from 'react';

/** What had the focus, then the openers of menus around it, which may have closed since, then the page's content. */
function waysBack(): Element[] {
  const ways: (Element | null)[] = [document.activeElement];
  for (let at = document.activeElement; at; at = at.parentElement) {
    if (at.id) ways.push(document.querySelector(`[aria-controls="${at.id}"]`));
  }
  return [...ways, document.getElementById('content')].filter((way) => way !== null);
}

/** Focuses the first of them that is still there and takes it. */
function focusFirst(ways: readonly Element[]) {
  for (const way of ways) {
    if (way === document.body) continue;
    (way as HTMLElement).focus({ preventScroll: true });
    if (document.activeElement === way) return;
  }
}

/**
 * Opens the browser's modal dialog. However it goes (closed, left out of the page, with its opener deleted), the focus
 * returns to where it was, unless the code that ended it has put it elsewhere (WCAG 2.4.3).
 */
export function useModal(dialog: RefObject<HTMLDialogElement | null>, open = true) {
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!open || !element) return;
    const ways = waysBack();
    if (!element.open) element.showModal();
    return () => {
      if (element.open) element.close();
      const { activeElement } = document;
      if (!activeElement || activeElement === document.body || element.contains(activeElement)) focusFirst(ways);
    };
  }, [dialog, open]);
}
