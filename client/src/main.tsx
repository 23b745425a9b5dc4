import '~/ui/back-guard';
import { startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from '~/app/app';
import { screenAt } from '~/app/router';
import '~/ui/fonts/fonts.css';
import '~/ui/tokens.css';
import '~/ui/base.css';
import '~/ui/text.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');

const app = (
  <StrictMode>
    <App />
  </StrictMode>
);

/**
 * Takes over what the server has drawn once the screen's own code is there: until then it can be read and followed.
 * As a transition it lets the browser scroll and answer in between.
 */
async function takeOver(drawn: HTMLElement) {
  await screenAt(window.location.pathname)?.load();
  startTransition(() => {
    hydrateRoot(drawn, app);
  });
}

if (root.hasChildNodes()) void takeOver(root);
else createRoot(root).render(app);
