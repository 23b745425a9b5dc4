const happens = (...names: string[]) =>
  new Promise((settle) => {
    for (const name of names) window.addEventListener(name, settle, { once: true, capture: true });
  });

/** A drawn page is often loaded before its modules have come (public/early.js). */
async function loaded(): Promise<void> {
  const drawn = document.querySelector('meta[name=modules]') !== null;
  await Promise.all([document.readyState !== 'complete' && happens('load'), drawn && happens('taken-over')]);
  await yieldToMain();
}

let idle: Promise<unknown> | undefined;

/** Resolves once the page is loaded and hydrated, or the user begins to interact. */
export async function whenIdle(): Promise<void> {
  await (idle ??= Promise.race([loaded(), happens('pointerdown', 'keydown')]));
}

/** Lets the browser paint and answer. */
export function yieldToMain(): Promise<void> {
  return new Promise((resume) => setTimeout(resume));
}
