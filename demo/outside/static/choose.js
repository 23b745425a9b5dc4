// The pop-up of the Google button: has the chosen person's token signed and hands it to the page that asked.
(() => {
  'use strict';

  const { origin, nonce } = document.body.dataset;
  const problem = document.getElementById('problem');

  const choose = async (choice) => {
    problem.textContent = '';
    const answer = await fetch('/google/choose', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(nonce ? { ...choice, nonce } : choice),
    });
    const told = await answer.json();
    if (!answer.ok) {
      problem.textContent = told.error?.message ?? 'That did not work.';
    } else if (!window.opener) {
      problem.textContent = 'The page that opened this window is gone. Close it and start again.';
    } else {
      window.opener.postMessage({ from: 'minimal-google', credential: told.credential }, origin);
    }
  };

  document.addEventListener('click', (event) => {
    const button = event.target.closest('[data-persona]');
    if (button) choose({ persona: button.dataset.persona, sub: button.dataset.sub });
  });
  document.querySelector('form')?.addEventListener('submit', (event) => {
    event.preventDefault();
    const { name, email, sub, email_verified: verified } = event.target.elements;
    choose({
      persona: 'custom', name: name.value, email: email.value, sub: sub.value, email_verified: verified.checked,
    });
  });
})();
