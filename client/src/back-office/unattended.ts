import { ApolloLink } from '@apollo/client';

const PAUSE_MS = 60_000;

let lastInput = Date.now();
for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
  window.addEventListener(type, () => (lastInput = Date.now()), { capture: true, passive: true });
}

/**
 * Marks what a page asks for by itself after a minute without input, such as the counts after an event: a back office
 * that nobody uses must not keep its sign-in recent.
 */
export const unattended = new ApolloLink((operation, forward) => {
  if (Date.now() - lastInput > PAUSE_MS) {
    operation.setContext(({ headers }: { headers?: Record<string, string> }) => ({
      headers: { ...headers, 'x-unattended': '1' },
    }));
  }
  return forward(operation);
});
