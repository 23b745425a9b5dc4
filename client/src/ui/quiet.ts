/** Settles once the page is loaded or somebody begins to use it. */
export function quiet(): Promise<void> {
  if (document.readyState === 'complete') return Promise.resolve();
  return new Promise((settle) => {
    for (const event of ['load', 'pointerdown', 'keydown']) {
      window.addEventListener(event, () => settle(), { once: true, capture: true });
    }
  });
}
