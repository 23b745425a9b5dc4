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
