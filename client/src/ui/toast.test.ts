import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => vi.resetModules());

const newDocument = async () => {
  vi.resetModules();
  return import('./toast');
};

test('messages that are not read when a document is left, and those said until its end, are shown by the next', async () => {
  const { toast, toastQueue } = await newDocument();
  toast.success('Logged out successfully');
  toastQueue.carryOver();
  toast.info('Session expired', { label: 'Sign In', to: '/signin' });
  toastQueue.clear();
  window.dispatchEvent(new Event('pagehide'));

  const next = (await newDocument()).toastQueue;

  expect(next.first()).toMatchObject({ kind: 'info', text: 'Logged out successfully' });
  next.dismiss(next.first()?.id ?? 0);
  expect(next.first()).toMatchObject({ text: 'Session expired', action: { label: 'Sign In', to: '/signin' } });
});

test('nothing of a document that is left in another way is carried over', async () => {
  const { toast } = await newDocument();
  toast.success('Saved');
  window.dispatchEvent(new Event('pagehide'));

  expect((await newDocument()).toastQueue.first()).toBeUndefined();
});

test.each(['oops', '{}', '[null]', '[{"id":1}]'])(
  '%s, carried over by an older version, is no message',
  async (text) => {
    sessionStorage.setItem('minimal:toasts', text);

    expect((await newDocument()).toastQueue.first()).toBeUndefined();
  },
);
