// Buttons and forms that change something send JSON; lists look for news every two seconds.
(() => {
  'use strict';

  const said = document.getElementById('said');
  const say = (words) => {
    said.textContent = words;
    said.hidden = false;
    setTimeout(() => { said.hidden = true; }, 4000);
  };

  const refresh = async () => {
    const answer = await fetch(location.href);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const old of document.querySelectorAll('[data-live]')) {
      const fresh = page.getElementById(old.id);
      const busy = old.contains(document.activeElement) || old.querySelector('details[open]');
      if (fresh && !busy && fresh.innerHTML !== old.innerHTML) old.innerHTML = fresh.innerHTML;
    }
  };

  const send = async (path, body, done) => {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const told = await answer.json();
    document.activeElement?.blur();
    say(answer.ok ? done : (told.error?.message ?? 'That did not work.'));
    await refresh();
    return answer.ok;
  };

  const valueOf = (input) => {
    if (input.type === 'checkbox') return input.checked;
    if (input.type === 'number') return input.value === '' ? undefined : Number(input.value);
    return input.value || undefined;
  };

  document.addEventListener('click', (event) => {
    const button = event.target.closest('button[data-post]');
    if (!button || (button.dataset.sure && !confirm(button.dataset.sure))) return;
    send(button.dataset.post, JSON.parse(button.dataset.body ?? '{}'), button.dataset.done ?? 'Done');
  });

  document.addEventListener('submit', (event) => {
    const { post, done } = event.target.dataset;
    if (!post) return;
    event.preventDefault();
    const inputs = [...event.target.elements].filter((input) => input.name);
    send(post, Object.fromEntries(inputs.map((input) => [input.name, valueOf(input)])), done ?? 'Done');
  });

  const letter = document.querySelector('.letter');
  const fit = () => {
    const height = letter.contentDocument?.documentElement?.scrollHeight;
    if (height) letter.style.height = `${height + 2}px`;
  };
  letter?.addEventListener('load', fit);
  if (letter) fit();

  if (document.querySelector('[data-live]')) {
    setInterval(() => document.visibilityState === 'visible' && refresh().catch(() => {}), 2000);
  }
})();
