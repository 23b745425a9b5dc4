import '~/ui/back-guard';
import { startTransition, StrictMode } from 'react';
import { makeClient } from '~/app/apollo';
import { App } from '~/app/app';
import { screenAt } from '~/app/router';
import { takeIn } from '~/graphql/injected';
import { session } from '~/session/storage';
import { breath } from '~/ui/quiet';
import { createRoot, hydrateRoot } from './react';
import '~/ui/fonts/fonts.css';
import '~/ui/tokens.css';
import '~/ui/base.css';
import '~/ui/text.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');

const client = makeClient();
const app = (
  <StrictMode>
    <App client={client} />
  </StrictMode>
);

/**
 * Takes over what the server has drawn once the screen's own code is there: until then it can be read and followed.
 * As a transition it lets the browser scroll and answer in between.
 */
async function takeOver(drawn: HTMLElement) {
  await breath();
  await screenAt(window.location.pathname)?.load();
  await takeIn(client);
  session.meet();
  startTransition(() => {
    hydrateRoot(drawn, app);
  });
}

if (root.hasChildNodes()) void takeOver(root);
else createRoot(root).render(app);
