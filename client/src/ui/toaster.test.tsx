import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryRouter } from 'react-router';
import { toast, toastQueue } from './toast';
import { Toaster } from './toaster';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  act(() => toastQueue.clear());
  vi.useRealTimers();
});

const say = (...words: string[]) => act(() => words.forEach((text) => toast.info(text)));
const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));

// spec: constants.messages
test('a message goes by itself after 2000 ms', () => {
  render(<Toaster />, { wrapper: MemoryRouter });
  say('Saved');

  wait(1999);
  expect(screen.getByText('Saved')).toBeVisible();
  wait(1);

  expect(screen.queryByText('Saved')).toBeNull();
});

// spec: constants.messages
test('messages are shown one at a time, each for its own time', () => {
  render(<Toaster />, { wrapper: MemoryRouter });
  say('First', 'Second');

  expect(screen.getByText('First')).toBeVisible();
  expect(screen.queryByText('Second')).toBeNull();
  wait(2000);
  expect(screen.getByText('Second')).toBeVisible();
  wait(2000);

  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

test('a message that somebody points at stays until they leave', () => {
  render(<Toaster />, { wrapper: MemoryRouter });
  say('Read me');

  fireEvent.pointerEnter(screen.getByText('Read me').parentElement as HTMLElement);
  wait(60_000);
  expect(screen.getByText('Read me')).toBeVisible();
  fireEvent.pointerLeave(screen.getByText('Read me').parentElement as HTMLElement);
  wait(2000);

  expect(screen.queryByText('Read me')).toBeNull();
});

test('a message that is said again while it is shown is added anew and has its whole time', async () => {
  vi.useRealTimers();
  render(<Toaster />, { wrapper: MemoryRouter });
  const said: string[] = [];
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) said.push(node.textContent ?? '');
  });
  observer.observe(screen.getByRole('status'), { childList: true, subtree: true });
  vi.useFakeTimers();
  say('Saved');
  wait(1900);

  say('Saved');
  wait(1999);
  await Promise.resolve();

  expect(said).toEqual(['Saved', 'Saved']);
  expect(screen.getAllByText('Saved')).toHaveLength(1);
  wait(1);
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

test('a button in a message keeps the focus when the message is said again', () => {
  render(<Toaster />, { wrapper: MemoryRouter });
  const undo = { label: 'Undo', run: () => {} };
  act(() => toast.info('Removed', undo));
  screen.getByRole('button', { name: 'Undo' }).focus();

  act(() => toast.info('Removed', undo));

  expect(screen.getByRole('button', { name: 'Undo' })).toHaveFocus();
});
