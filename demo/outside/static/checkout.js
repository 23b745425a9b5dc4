// The payment form: writes card numbers as cards show them, says what is wrong beside the field, and pays.
(() => {
  'use strict';

  const form = document.querySelector('form');
  const dialog = document.querySelector('dialog');
  const button = form.querySelector('button[type=submit]');
  const refusal = document.getElementById('refusal');
  const progress = document.getElementById('progress');
  const { secret, expires } = document.body.dataset;
  const field = (name) => form.elements.namedItem(name);
  const digits = (text) => text.replace(/\D/g, '');
  const free = !field('number');

  const brandOf = (number) => {
    if (/^3[47]/.test(number)) return 'American Express';
    if (/^(5[1-5]|2[2-7])/.test(number)) return 'Mastercard';
    return /^4/.test(number) ? 'Visa' : '';
  };
  const passesLuhn = (number) =>
    [...number].reverse().reduce((sum, digit, at) => {
      const value = Number(digit) * (1 + (at % 2));
      return sum + (value > 9 ? value - 9 : value);
    }, 0) % 10 === 0;
  const groupsOf = (number) =>
    (brandOf(number) === 'American Express' ? [4, 6, 5] : [4, 4, 4, 4, 3])
      .reduce((parts, size) => {
        const start = parts.join('').length;
        return number.length > start ? [...parts, number.slice(start, start + size)] : parts;
      }, [])
      .join(' ');
  const expiryOf = (typed) => {
    const raw = digits(typed);
    const number = /^[2-9]/.test(raw) || /^\d\s*\//.test(typed) ? `0${raw}` : raw;
    return number.length > 2 ? `${number.slice(0, 2)} / ${number.slice(2, 4)}` : number;
  };

  // Keeps the caret behind the digit that was just typed or removed.
  const reshape = (input, shape) => {
    const typed = input.value;
    const behind = digits(typed.slice(0, input.selectionStart)).length;
    const shaped = shape(typed);
    if (shaped === typed) return;
    const added = digits(shaped).length - digits(typed).length;
    input.value = shaped;
    let caret = 0;
    for (let seen = 0; seen < behind + Math.max(added, 0) && caret < shaped.length; caret += 1) {
      if (/\d/.test(shaped[caret])) seen += 1;
    }
    if (behind === digits(typed).length) caret = shaped.length;
    input.setSelectionRange(caret, caret);
  };

  const rules = {
    email: (value) => (/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(value.trim()) ? '' : 'Enter an e-mail address such as ada@example.com.'),
    number: (value) => {
      const number = digits(value);
      return number.length >= 13 && passesLuhn(number) ? '' : 'This is not a card number. Check the digits.';
    },
    expiry: (value) => {
      const match = /^(0[1-9]|1[0-2]) \/ (\d\d)$/.exec(value);
      if (!match) return 'Enter month and year, such as 04 / 29.';
      return new Date(2000 + Number(match[2]), Number(match[1]), 1) > new Date() ? '' : 'This card has expired.';
    },
    cvc: (value) => {
      const length = brandOf(digits(field('number').value)) === 'American Express' ? 4 : 3;
      return new RegExp(`^\\d{${length}}$`).test(value) ? '' : `Enter the ${length} digits of the security code.`;
    },
    name: (value) => (value.trim() ? '' : 'Enter the name on the card.'),
    postal_code: (value) =>
      field('country').value !== 'US' || /^\d{5}(-\d{4})?$/.test(value.trim()) ? '' : 'Enter a ZIP code of five digits.',
  };

  const show = (name, message) => {
    const input = field(name);
    document.getElementById(`${name}-error`).textContent = message;
    if (message) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
    return message;
  };
  const check = (name) => show(name, rules[name](field(name).value));
  const names = Object.keys(rules).filter((name) => field(name));
  const focusFirst = () => form.querySelector('[aria-invalid=true]')?.focus();

  for (const name of names) {
    field(name).addEventListener('blur', () => field(name).value && check(name));
    field(name).addEventListener('input', () => {
      refusal.textContent = '';
      if (field(name).getAttribute('aria-invalid')) check(name);
    });
  }

  if (!free) {
    const showBrand = () => {
      document.getElementById('number-brand').textContent = brandOf(digits(field('number').value));
    };
    field('number').addEventListener('input', () => {
      reshape(field('number'), (typed) => groupsOf(digits(typed).slice(0, 19)));
      showBrand();
    });
    field('expiry').addEventListener('input', (event) => {
      if (event.inputType !== 'deleteContentBackward') reshape(field('expiry'), expiryOf);
    });
    field('cvc').addEventListener('input', () => reshape(field('cvc'), (typed) => digits(typed).slice(0, 4)));
    field('country').addEventListener('change', () => {
      const inUs = field('country').value === 'US';
      form.querySelector('label[for=postal_code]').textContent = inUs ? 'ZIP' : 'Postal code (optional)';
      show('postal_code', '');
    });
    for (const card of document.querySelectorAll('[data-number]')) {
      card.addEventListener('click', () => {
        field('number').value = groupsOf(card.dataset.number);
        field('expiry').value ||= '12 / 34';
        field('cvc').value = card.dataset.number.startsWith('3') ? '1234' : '123';
        field('name').value ||= 'Ada Lindqvist';
        field('postal_code').value ||= '10001';
        showBrand();
        names.forEach((name) => show(name, ''));
        refusal.textContent = '';
        button.focus();
      });
    }
  }

  // Leaving a field may move the button by a line: the press must not leave it first.
  button.addEventListener('mousedown', (event) => event.preventDefault());

  const rest = button.firstElementChild.textContent;
  const work = (working) => {
    button.disabled = working;
    button.firstElementChild.textContent = working ? (free ? 'Placing your order ...' : 'Paying ...') : rest;
    button.lastElementChild.hidden = !working;
  };

  const leave = (answer) => {
    progress.textContent = 'Done. Taking you back to the shop.';
    if (!answer.return_url) {
      if (!window.tellShop('complete')) location.reload();
    } else if (!window.tellShop('redirect', { url: answer.return_url })) {
      window.top.location.assign(answer.return_url);
    }
  };

  const ask = () =>
    new Promise((resolve) => {
      const answered = (event) => {
        const choice = event.target.closest('[data-authenticated]');
        if (choice) dialog.close(choice.dataset.authenticated);
      };
      dialog.returnValue = 'false';
      dialog.addEventListener('click', answered);
      dialog.addEventListener('close', () => {
        dialog.removeEventListener('click', answered);
        resolve(dialog.returnValue === 'true');
      }, { once: true });
      dialog.showModal();
    });

  const pay = async (more = {}) => {
    const body = JSON.stringify({ ...Object.fromEntries(new FormData(form)), ...more });
    const answer = await fetch(`/checkout/${secret}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const told = await answer.json();
    if (told.state === 'closed' || answer.status === 409) return location.reload();
    if (told.state === 'authenticate') return pay({ authenticated: await ask() });
    if (told.state === 'complete') return leave(told);
    work(false);
    if (told.state === 'invalid') {
      for (const [name, message] of Object.entries(told.errors)) show(name, message);
      return focusFirst();
    }
    refusal.textContent = told.message ?? told.error?.message ?? 'The payment could not be made. Please try again.';
    button.focus();
  };

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    refusal.textContent = '';
    if (names.map(check).some(Boolean)) return focusFirst();
    work(true);
    try {
      await pay();
    } catch {
      work(false);
      refusal.textContent = 'The payment service could not be reached. You were not charged. Please try again.';
    }
  });

  // A day at most, so the longest delay that a timer can take is never reached.
  setTimeout(() => button.disabled || location.reload(), Math.max(0, expires * 1000 - Date.now()) + 500);
})();
