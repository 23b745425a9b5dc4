// Before anything is painted: the theme that this browser chose.
try {
  const theme = localStorage.getItem('minimal:theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the system's theme is shown.
}

// Whoever follows a link ends what the page was still loading. Firefox calls that an error, and nothing is wrong. The link
// may be followed before any module has run.
window.isLeft = false;
addEventListener('beforeunload', () => { window.isLeft = true; });
addEventListener('pageshow', () => { window.isLeft = false; });

// Errors that nothing on the page has caught go to the shop's log, a few for each page.
{
  let left = 5;

  function report(message, { name = '', stack = '' } = {}) {
    if (window.isLeft || left-- < 1) return;
    const body = JSON.stringify({ page: location.pathname, name, message: String(message), stack: String(stack) });
    const headers = { 'content-type': 'application/json' };
    fetch('/browser-errors', { method: 'POST', keepalive: true, headers, body }).catch(() => undefined);
  }

  addEventListener('error', ({ target, message, error }) => {
    if (target.tagName === 'SCRIPT') report(`${target.src} could not be loaded`);
    else if (target === window) report(message, error ?? undefined);
  }, true);
  addEventListener('unhandledrejection', ({ reason }) => report(reason?.message ?? reason, reason ?? undefined));
}

// The page is there before the script that works it. What is pressed or sent until then, beside links and forms with an
// address, which the browser follows by itself, is kept and done again once that script has taken over. A link that opens
// a dialog is pressed for the dialog; its address is for who has no script.
{
  const early = new Set();
  const PRESSED = 'button[type=button], input[type=radio], input[type=checkbox], a[aria-haspopup=dialog]';

  function keep(event) {
    const pressed = event.target.closest(event.type === 'submit' ? 'form:not([action])' : PRESSED);
    const isLink = pressed?.tagName === 'A';
    if (!pressed || !event.isTrusted || (isLink && (event.ctrlKey || event.metaKey || event.shiftKey))) return;
    event.stopImmediatePropagation();
    if (event.type === 'submit' || isLink) event.preventDefault();
    early.delete(pressed);
    early.add(pressed);
  }

  function pressAgain(pressed) {
    // React takes over at once what a press is on, and then hears of a choice only when it changes.
    pressed.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
    if (pressed.tagName === 'FORM') return pressed.requestSubmit();
    if (pressed.type !== 'button') pressed.checked = pressed.type === 'checkbox' && !pressed.checked;
    pressed.click();
  }

  async function heard() {
    // Sent by a script it looks as if somebody had sent it, and would be kept once more.
    removeEventListener('submit', keep, true);
    // What is pressed meanwhile takes its turn behind the others.
    for (const pressed of early) {
      // Each when React is done with what came before.
      await new Promise((turn) => setTimeout(turn));
      pressAgain(pressed);
    }
    removeEventListener('click', keep, true);
  }

  /** The script cannot start: presses take their own course again, and the page says what to do. */
  function letGo({ target }) {
    if (window.isLeft || target.type !== 'module' || target.tagName !== 'SCRIPT') return;
    removeEventListener('click', keep, true);
    removeEventListener('taken-over', heard);
    for (const pressed of early) if (['A', 'INPUT'].includes(pressed.tagName)) pressed.click();
    early.clear();
    document.getElementById('not-started').hidden = false;
  }

  addEventListener('error', letGo, true);
  addEventListener('click', keep, true);
  addEventListener('submit', keep, true);
  addEventListener('taken-over', heard, { once: true });
}

// A drawn page names the modules that work it instead of loading them: they come once it can be seen, so that its
// pictures and words have the line to themselves. Each is a script of its own, so that the browser can breathe between.
{
  let running = false;

  function runModules() {
    const named = document.querySelector('meta[name=modules]');
    if (running || !named) return;
    running = true;
    for (const src of named.content.split(' ')) {
      document.head.append(Object.assign(document.createElement('script'), { type: 'module', async: false, src }));
    }
  }

  /** Once what is seen first is there, or takes too long. */
  async function whenSeen() {
    const first = [...document.querySelectorAll('img[fetchpriority=high]')].map((picture) => picture.decode());
    await Promise.race([Promise.allSettled(first), new Promise((late) => setTimeout(late, 2000))]);
    requestAnimationFrame(() => setTimeout(runModules));
  }

  new PerformanceObserver((seen) => {
    if (seen.getEntriesByName('first-contentful-paint').length > 0) whenSeen();
  }).observe({ type: 'paint', buffered: true });
  // Nothing is painted in a tab behind others.
  addEventListener('load', () => setTimeout(runModules, document.hidden ? 0 : 1000), { once: true });
}
