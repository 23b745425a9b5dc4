import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { ConfirmDialog, Dialog } from './dialog';
import { Menu } from './menu';

const sources = import.meta.glob<string>('/src/**/*.tsx', { query: '?raw', import: 'default', eager: true });

function Row({ conditional, inMenu, onGone }: { conditional: boolean; inMenu: boolean; onGone: () => void }) {
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const opener = (
    <button type="button" onClick={() => setAsking(true)}>
      Delete
    </button>
  );
  const confirm = (
    <ConfirmDialog open={asking} title="Delete it?" text="" confirm="Yes" onClose={close} onConfirm={onGone} />
  );
  return (
    <>
      {inMenu ? (
        <Menu opener="More">
          <li>{opener}</li>
        </Menu>
      ) : (
        opener
      )}
      {conditional ? asking && confirm : confirm}
    </>
  );
}

function Page(row: { conditional: boolean; inMenu: boolean }) {
  const [isGone, setGone] = useState(false);
  return (
    <main id="content" tabIndex={-1}>
      {!isGone && <Row {...row} onGone={() => setGone(true)} />}
    </main>
  );
}

async function openDialog(conditional: boolean, inMenu: boolean) {
  const user = userEvent.setup();
  render(<Page conditional={conditional} inMenu={inMenu} />);
  if (inMenu) await user.click(screen.getByRole('button', { name: 'More' }));
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  screen.getByRole('button', { name: 'Cancel' }).focus();
  return user;
}

it.each([
  [false, false, 'Delete'],
  [true, false, 'Delete'],
  [false, true, 'More'],
  [true, true, 'More'],
])('returns the focus from a dialog (left out: %s, from a menu: %s) to %s', async (conditional, inMenu, name) => {
  const user = await openDialog(conditional, inMenu);

  await user.click(screen.getByRole('button', { name: 'Cancel' }));

  await waitFor(() => expect(screen.getByRole('button', { name })).toHaveFocus());
});

it('moves the focus to the content when the opener has gone', async () => {
  const user = await openDialog(true, false);

  await user.click(screen.getByRole('button', { name: 'Yes' }));

  expect(screen.getByRole('main')).toHaveFocus();
});

function MovesFocus() {
  const [open, setOpen] = useState(true);
  return (
    <>
      <input aria-label="Name" />
      <Dialog open={open} title="Title" onClose={() => setOpen(false)}>
        <button
          type="button"
          onClick={() => {
            screen.getByLabelText('Name').focus();
            setOpen(false);
          }}
        >
          Go
        </button>
      </Dialog>
    </>
  );
}

it('leaves the focus where the code that closed the dialog has put it', async () => {
  const user = userEvent.setup();
  render(<MovesFocus />);

  await user.click(screen.getByRole('button', { name: 'Go' }));

  expect(screen.getByLabelText('Name')).toHaveFocus();
});

it('returns the focus to the opener of a menu after a choice', async () => {
  const user = userEvent.setup();
  render(
    <Menu opener="More">
      <li>
        <button type="button">Choice</button>
      </li>
    </Menu>,
  );
  await user.click(screen.getByRole('button', { name: 'More' }));
  await user.click(screen.getByRole('button', { name: 'Choice' }));

  expect(screen.getByRole('button', { name: 'More' })).toHaveFocus();
});

it('is what every dialog of the client opens with', () => {
  const own = Object.entries(sources).filter(([file, text]) => !file.endsWith('.test.tsx') && text.includes('<dialog'));

  expect(own.length).toBeGreaterThan(0);
  expect(own.filter(([, text]) => !text.includes('useModal(')).map(([file]) => file)).toEqual([]);
});
