import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Dialog } from './dialog';

const close = vi.fn();
const edges = { left: 100, right: 400, top: 50, bottom: 250 };
const [inside, padding, veil] = [
  { clientX: 200, clientY: 100 },
  { clientX: 102, clientY: 52 },
  { clientX: 20, clientY: 20 },
];

function show() {
  render(
    <Dialog open title="Delete Address" onClose={close}>
      <p>This action cannot be undone.</p>
    </Dialog>,
  );
  const dialog = screen.getByRole('dialog');
  vi.spyOn(dialog, 'getBoundingClientRect').mockReturnValue(edges as DOMRect);
  return dialog;
}

beforeEach(() => close.mockReset());

test('a press on the veil closes it', () => {
  const dialog = show();

  fireEvent.pointerDown(dialog, veil);
  fireEvent.click(dialog, veil);

  expect(close).toHaveBeenCalledOnce();
});

test('a press on its own padding leaves it open', () => {
  const dialog = show();

  fireEvent.pointerDown(dialog, padding);
  fireEvent.click(dialog, padding);

  expect(close).not.toHaveBeenCalled();
});

test('a selection that begins inside and ends on the veil leaves it open', () => {
  const dialog = show();

  fireEvent.pointerDown(screen.getByText('This action cannot be undone.'), inside);
  fireEvent.click(dialog, veil);

  expect(close).not.toHaveBeenCalled();
});
