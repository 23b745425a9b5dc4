import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, expect, vi } from 'vitest';

// A busy machine may take its time; a test that waits in vain fails all the same.
configure({ asyncUtilTimeout: 5000 });

// Apollo says so of fragments on types that its cache was not given: their data would be lost.
const unmatched: string[] = [];
const { warn } = console;
console.warn = (...words: unknown[]) => {
  if (String(words[0]).includes('possibleTypes')) unmatched.push(words.join(' '));
  else warn(...words);
};

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  expect(unmatched.splice(0)).toEqual([]);
});

// As the server sends the page.
const name = document.head.appendChild(document.createElement('meta'));
name.name = 'application-name';
name.content = 'Minimal';

// What jsdom leaves out. Nothing is laid out there, so none of it has anything to do.
Element.prototype.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;
window.scrollTo = () => undefined;
HTMLDialogElement.prototype.showModal = function showModal(this: HTMLDialogElement) {
  this.open = true;
};
HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement) {
  this.open = false;
  // Like a browser, which tells of it in a task of its own.
  setTimeout(() => this.dispatchEvent(new Event('close')));
};
vi.stubGlobal('matchMedia', (media: string) => ({
  matches: false,
  media,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}));
vi.stubGlobal(
  'IntersectionObserver',
  class {
    observe = () => undefined;
    disconnect = () => undefined;
  },
);
