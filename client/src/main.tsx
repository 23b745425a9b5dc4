import { startTransition, StrictMode } from 'react';
import { makeClient } from '~/app/apollo';
import { App } from '~/app/app';
import { reloadForMissingChunks } from '~/app/reload-once';
import { screenAt } from '~/app/router';
import { hydrateCache } from '~/graphql/injected';
import { session } from '~/session/storage';
import { yieldToMain } from '~/ui/scheduling';
import { createRoot, hydrateRoot } from './react';
import '~/ui/fonts/fonts.css';
import '~/ui/tokens.css';
import '~/ui/base.css';
import '~/ui/text.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');

reloadForMissingChunks(import.meta.url);

const client = makeClient();
const app = (
  <StrictMode>
    <App client={client} />
  </StrictMode>
);

/** An error that a boundary has caught is reported as if it had not been: public/early.js listens. */
const handlers = { onCaughtError: reportError };

/**
 * Takes over what the server has drawn once the screen's own code is there: until then it can be read and followed.
 * As a transition it lets the browser scroll and answer in between.
 */
async function takeOver(drawn: HTMLElement) {
  await yieldToMain();
  // A screen that cannot be loaded is for the boundary around it.
  await screenAt(window.location.pathname)
    ?.load()
    .catch(() => undefined);
  await hydrateCache(client);
  session.adoptRenderedUser();
  startTransition(() => {
    hydrateRoot(drawn, app, handlers);
  });
}

if (root.hasChildNodes()) void takeOver(root);
else createRoot(root, handlers).render(app);
