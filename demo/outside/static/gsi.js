// A stand-in for Google's sign-in script: google.accounts.id, with people to choose from in a pop-up.
(() => {
  'use strict';

  const base = new URL(document.currentScript.src).origin;
  const WORDS = {
    signin_with: 'Sign in with Google',
    signup_with: 'Sign up with Google',
    continue_with: 'Continue with Google',
    signin: 'Sign in',
  };
  const HEIGHTS = { large: 40, medium: 32, small: 20 };
  const PARTS = [
    ['#4285f4', 'M17.6 9.2c0-.6-.1-1.2-.2-1.8H9v3.5h4.8a4.1 4.1 0 0 1-1.8 2.7v2.2h2.9a8.8 8.8 0 0 0 2.7-6.6z'],
    ['#34a853', 'M9 18c2.4 0 4.5-.8 6-2.2l-2.9-2.2a5.4 5.4 0 0 1-8-2.9H1v2.3A9 9 0 0 0 9 18z'],
    ['#fbbc05', 'M4 10.7a5.4 5.4 0 0 1 0-3.4V5H1a9 9 0 0 0 0 8z'],
    ['#ea4335', 'M9 3.6c1.3 0 2.5.5 3.4 1.3L15 2.3A9 9 0 0 0 1 5l3 2.3a5.4 5.4 0 0 1 5-3.7z'],
  ];
  let settings = null;
  let waiting = null;

  const logo = () => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    for (const [name, value] of [['viewBox', '0 0 18 18'], ['width', '18'], ['height', '18'], ['aria-hidden', 'true']]) {
      svg.setAttribute(name, value);
    }
    for (const [fill, d] of PARTS) {
      const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
      path.setAttribute('fill', fill);
      path.setAttribute('d', d);
      svg.append(path);
    }
    return svg;
  };

  const choose = (state) => {
    const asked = new URLSearchParams({ client_id: settings.client_id, origin: location.origin });
    if (settings.nonce) asked.set('nonce', settings.nonce);
    if (settings.login_hint) asked.set('login_hint', settings.login_hint);
    const size = 'popup,width=500,height=680';
    const popup = window.open(`${base}/google/choose?${asked}`, 'google-sign-in', size);
    waiting = popup && { popup, state };
  };

  window.addEventListener('message', ({ origin, source, data }) => {
    if (origin !== base || !waiting || source !== waiting.popup || data?.from !== 'minimal-google') return;
    const { popup, state } = waiting;
    waiting = null;
    popup.close();
    const answer = { credential: data.credential, clientId: settings.client_id, select_by: 'btn' };
    settings.callback(state === undefined ? answer : { ...answer, state });
  });

  const colours = (theme) => {
    if (theme === 'filled_blue') return { background: '#1a73e8', color: '#fff', border: '1px solid #1a73e8' };
    if (theme === 'filled_black') return { background: '#202124', color: '#e8eaed', border: '1px solid #202124' };
    return { background: '#fff', color: '#3c4043', border: '1px solid #dadce0' };
  };

  const renderButton = (place, options = {}) => {
    const { theme, text = 'signin_with', size = 'large', shape, width, type } = options;
    const button = document.createElement('button');
    button.type = 'button';
    const words = WORDS[text] ?? WORDS.signin_with;
    const round = shape === 'pill' || shape === 'circle' ? '20px' : '4px';
    const height = HEIGHTS[size] ?? HEIGHTS.large;
    Object.assign(button.style, {
      ...colours(theme),
      alignItems: 'center',
      borderRadius: round,
      cursor: 'pointer',
      display: 'flex',
      font: `500 ${size === 'small' ? 11 : 14}px/1 Roboto, Arial, sans-serif`,
      gap: '10px',
      height: `${height}px`,
      justifyContent: 'center',
      maxWidth: '400px',
      padding: '0 12px',
      width: width ? `${Number.parseInt(width, 10)}px` : 'auto',
    });
    button.append(logo());
    if (type === 'icon') button.setAttribute('aria-label', words);
    else button.append(words);
    button.addEventListener('click', () => {
      options.click_listener?.();
      if (settings) choose(options.state);
    });
    place.replaceChildren(button);
  };

  // One Tap never shows here: nobody is signed in at the stand-in.
  const notShown = {
    getMomentType: () => 'display',
    isDisplayMoment: () => true,
    isDisplayed: () => false,
    isNotDisplayed: () => true,
    getNotDisplayedReason: () => 'opt_out_or_no_session',
    isSkippedMoment: () => false,
    getSkippedReason: () => undefined,
    isDismissedMoment: () => false,
    getDismissedReason: () => undefined,
  };

  window.google = {
    ...window.google,
    accounts: {
      ...window.google?.accounts,
      id: {
        initialize(given) {
          settings = given;
        },
        renderButton,
        prompt(listener) {
          setTimeout(() => listener?.(notShown));
        },
        cancel() {},
        disableAutoSelect() {},
        storeCredential(credential, done) {
          done?.();
        },
        revoke(hint, done) {
          setTimeout(() => done?.({ successful: true }));
        },
      },
    },
  };
})();
