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

function address(open: boolean) {
  return (
    <Dialog open={open} title="Delete Address" onClose={close}>
      <p>This action cannot be undone.</p>
    </Dialog>
  );
}

function show() {
  render(address(true));
  const dialog = screen.getByRole<HTMLDialogElement>('dialog');
  vi.spyOn(dialog, 'getBoundingClientRect').mockReturnValue(edges as DOMRect);
  return dialog;
}

beforeEach(() => close.mockReset());

test('a press on the veil closes it', async () => {
  const dialog = show();

  fireEvent.pointerDown(dialog, veil);
  fireEvent.click(dialog, veil);

  await vi.waitFor(() => expect(close).toHaveBeenCalledOnce());
});

test('a press on its own padding leaves it open', () => {
  const dialog = show();

  fireEvent.pointerDown(dialog, padding);
  fireEvent.click(dialog, padding);

  expect(dialog.open).toBe(true);
});

test('a selection that begins inside and ends on the veil leaves it open', () => {
  const dialog = show();

  fireEvent.pointerDown(screen.getByText('This action cannot be undone.'), inside);
  fireEvent.click(dialog, veil);

  expect(dialog.open).toBe(true);
});

test('a dialog that is opened again before the browser tells of its close stays open', async () => {
  const { rerender } = render(address(true));
  const onClosed = vi.fn();
  screen.getByRole('dialog').addEventListener('close', onClosed);

  rerender(address(false));
  rerender(address(true));

  await vi.waitFor(() => expect(onClosed).toHaveBeenCalledOnce());
  expect(close).not.toHaveBeenCalled();
});
