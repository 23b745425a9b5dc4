import { type ComponentType, lazy } from 'react';

/** Settles once the page is loaded or somebody begins to use it; at once where the server draws. */
export function quiet(): Promise<void> {
  if (typeof document === 'undefined' || document.readyState === 'complete') return Promise.resolve();
  return new Promise((settle) => {
    for (const event of ['load', 'pointerdown', 'keydown']) {
      window.addEventListener(event, () => settle(), { once: true, capture: true });
    }
  });
}

/** A part below the first screenful. Its code, not its HTML, waits until what is seen first is there. */
export function later<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => quiet().then(load));
}
