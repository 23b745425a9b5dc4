import { useSyncExternalStore } from 'react';

// The year in the footer is the visitor's own.
// oxlint-disable-next-line no-restricted-properties
const now = () => new Date().getFullYear();

/** The year in the HTML that is being hydrated, which a cache may have kept since an earlier one. */
const drawn = () => Number(document.querySelector<HTMLElement>('[data-year]')?.dataset['year'] ?? now());

function subscribe(onChange: () => void) {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}

/** The year on the visitor's calendar, read anew at each navigation and when the window is shown again. */
export const useYear = (): number => useSyncExternalStore(subscribe, now, drawn);
