import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

const PATIENCE_MS = 3000;
const userInputEvents = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** How far down each page of this tab's history was, by its key there. */
const places = new Map<string, number>();

/** Restores a scroll position as soon as the page is long enough, unless the user scrolls first. */
function returnTo(top: number): () => void {
  const until = performance.now() + PATIENCE_MS;
  let frame = 0;
  const stop = () => {
    cancelAnimationFrame(frame);
    for (const type of userInputEvents) window.removeEventListener(type, stop);
  };
  const step = () => {
    window.scrollTo({ top, behavior: 'instant' });
    if (Math.abs(window.scrollY - top) > 1 && performance.now() < until) frame = requestAnimationFrame(step);
    else stop();
  };
  for (const type of userInputEvents) window.addEventListener(type, stop, { passive: true });
  step();
  return stop;
}

/** Browsers place a page before it is drawn again; here it is done after. A page loaded anew is left to them. */
function useOwnPlacing(key: RefObject<string>) {
  useEffect(() => {
    const note = () => places.set(key.current, window.scrollY);
    const own = () => (window.history.scrollRestoration = 'manual');
    const browsers = () => (window.history.scrollRestoration = 'auto');
    own();
    window.addEventListener('scroll', note, { passive: true });
    window.addEventListener('pageshow', own);
    window.addEventListener('pagehide', browsers);
    return () => {
      window.removeEventListener('scroll', note);
      window.removeEventListener('pageshow', own);
      window.removeEventListener('pagehide', browsers);
    };
  }, [key]);
}

/**
 * A new path begins at its top; Back and Forward find a page as far down as it was left. Either way focus goes to its
 * content, so that a screen reader starts there too.
 */
export function useScrollRestoration(main: RefObject<HTMLElement | null>): void {
  const { key, pathname } = useLocation();
  const way = useNavigationType();
  const keyNow = useRef(key);
  const last = useRef({ key, pathname });
  useOwnPlacing(keyNow);

  // Before the browser lays the new page out: the scrolling that a shorter page brings is not the old page's.
  useLayoutEffect(() => {
    const from = last.current;
    if (from.key === key) return;
    last.current = { key, pathname };
    keyNow.current = key;
    if (from.pathname !== pathname) main.current?.focus({ preventScroll: true });
    if (way === 'POP') return returnTo(places.get(key) ?? 0);
    if (from.pathname !== pathname) window.scrollTo({ top: 0, behavior: 'instant' });
  }, [key, pathname, way, main]);
}
