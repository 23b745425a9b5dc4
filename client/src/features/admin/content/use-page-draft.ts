import { useMemo, useState } from 'react';
import { reorder } from '~/features/admin/reorder';
import type { PageDraftFragment } from './content.generated';
import { differences, merge, withKeysOf } from './merge';
import { type BlockDraft, draftOf, type KindForm, newBlock, type PageDraft, pageInput, type Value } from './page-draft';

interface State {
  page: PageDraftFragment;
  /** What is stored. */
  base: PageDraft;
  draft: PageDraft;
}

/** A value made of the one of before: what was typed while a picture was on its way stays. */
export type Change = (value: Value) => Value;

function startFrom(page: PageDraftFragment, kinds: readonly KindForm[]): State {
  const base = draftOf(page, kinds);
  return { page, base, draft: base };
}

/** From what is stored now: with what was typed since `seen` on top of it, or without. */
function goOn(
  { draft }: State,
  seen: PageDraft,
  page: PageDraftFragment,
  kinds: readonly KindForm[],
  keep = true,
): State {
  const base = withKeysOf(seen, draftOf(page, kinds), kinds);
  return { page, base, draft: keep && draft !== seen ? merge(seen, draft, base, kinds) : base };
}

/** A page as its form holds it, with what has changed since it was saved. */
export function usePageDraft(initial: PageDraftFragment, kinds: readonly KindForm[]) {
  const [{ page, base, draft }, setState] = useState(() => startFrom(initial, kinds));
  const edit = (change: (draft: PageDraft) => Partial<PageDraft>) =>
    setState((now) => ({ ...now, draft: { ...now.draft, ...change(now.draft) } }));
  const editBlocks = (change: (blocks: readonly BlockDraft[]) => readonly BlockDraft[]) =>
    edit(({ blocks }) => ({ blocks: change(blocks) }));

  return {
    page,
    draft,
    input: useMemo(() => pageInput(draft, kinds), [draft, kinds]),
    changes: useMemo(() => differences(base, draft, kinds), [base, draft, kinds]),
    edit: (texts: Partial<Pick<PageDraft, 'title' | 'description'>>) => edit(() => texts),
    editBlock: (key: string, name: string, change: Change) =>
      editBlocks((blocks) =>
        blocks.map((block) =>
          block.key === key
            ? { ...block, values: { ...block.values, [name]: change(block.values[name] ?? '') } }
            : block,
        ),
      ),
    /** Adds a block behind all others, and answers its key. */
    add(kind: KindForm): string {
      const block = newBlock(kind);
      editBlocks((blocks) => [...blocks, block]);
      return block.key;
    },
    /** Removes a block, and answers how to put it back. */
    remove(key: string): () => void {
      const at = draft.blocks.findIndex((block) => block.key === key);
      const block = draft.blocks[at];
      editBlocks((blocks) => blocks.filter((one) => one.key !== key));
      return () => {
        if (block) editBlocks((blocks) => blocks.toSpliced(at, 0, block));
      };
    },
    move: (key: string, onto: string) => editBlocks((blocks) => reorder(blocks, key, onto)),
    undo: () => setState((now) => ({ ...now, draft: now.base })),
    /** Goes on from what is stored now; what was typed while it was on its way stays, on top of it. */
    saved: (stored: PageDraftFragment, sent: PageDraft) => setState((now) => goOn(now, sent, stored, kinds)),
    /** What another admin has changed. */
    changesOf: (theirs: PageDraftFragment) => differences(base, withKeysOf(base, draftOf(theirs, kinds), kinds), kinds),
    /** Goes on from what another admin has saved, with my changes on top of it or without them. */
    restart: (theirs: PageDraftFragment, { keepMine }: { keepMine: boolean }) =>
      setState((now) => goOn(now, now.base, theirs, kinds, keepMine)),
  };
}

export type PageForm = ReturnType<typeof usePageDraft>;
