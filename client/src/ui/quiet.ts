/** Settles once the page is loaded or somebody begins to use it. */
export function quiet(): Promise<void> {
  if (document.readyState === 'complete') return Promise.resolve();
  return new Promise((settle) => {
    window.addEventListener('load', () => setTimeout(settle), { once: true });
    for (const touch of ['pointerdown', 'keydown']) {
      window.addEventListener(touch, () => settle(), { once: true, capture: true });
    }
  });
}

/** Lets the browser paint and answer. */
export function breath(): Promise<void> {
  return new Promise((resume) => setTimeout(resume));
}
