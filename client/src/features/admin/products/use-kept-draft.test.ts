import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { session } from '~/session/storage';
import { emptyDraft } from './product-draft';
import { useKeptDraft } from './use-kept-draft';

const owner = { id: 'u1', name: 'Olive', email: 'olive@minimal.test', role: 'admin' as const };
const draft = { ...emptyDraft, name: 'Linen Shirt' };

/** Opens the form, fills it in and leaves it. Returns what stood in it at first. */
function leaveDraft() {
  const { result, unmount } = renderHook(() => useKeptDraft());
  const { initial, follow } = result.current;
  follow(() => draft);
  unmount();
  return initial;
}

afterEach(() => act(() => session.signOut()));

it('keeps a product’s draft while its admin is elsewhere, and not beyond Sign Out', () => {
  session.signIn(owner);
  leaveDraft();
  const returned = leaveDraft();

  session.signOut();
  session.signIn(owner);

  expect([returned, leaveDraft()]).toEqual([draft, emptyDraft]);
});
