import { useMemo, useRef, useState } from 'react';
import { useTimeZone } from '~/ui/time-zone';
import { texts } from './texts';
import type { PictureDraft, ProductDraft } from './product-draft';
import type { Change } from '~/features/admin/changes';
import type { Problems } from './product-field';
import { changesBetween, draftOf, problemsOf, rebase, withoutAnswered } from './product-fields';
import type { EditableProductFragment } from './product-form.generated';
import { useObjectUrls } from './use-object-urls';
import { useUploads } from './use-uploads';

interface State {
  /** What the draft began as; null while a product is created. */
  product: EditableProductFragment | null;
  base: ProductDraft;
  draft: ProductDraft;
  /** What was wrong when it was sent, as far as no edit has answered it. */
  problemsWhenSent: Problems;
}

const startFrom = (product: EditableProductFragment | null, base: ProductDraft, draft = base): State => ({
  product,
  base,
  draft,
  problemsWhenSent: {},
});

const waitingIn = (pictures: readonly PictureDraft[]) =>
  pictures.flatMap(({ key, imageId, file }) => (imageId === null && file ? [{ key, file }] : []));

/** What others have saved in a newer version; nothing in the next one, which the form's own retiring or restoring made. */
const othersIn = (newer: EditableProductFragment, theirs: ProductDraft, { product, base }: State): Change[] =>
  newer.version === (product?.version ?? 0) + 1 ? [] : changesBetween(base, theirs);

/** Those of a new product are shown once it is sent. */
const shownProblems = ({ product, draft, problemsWhenSent }: State): Problems =>
  product ? { ...problemsWhenSent, ...problemsOf(draft, product) } : problemsWhenSent;

function useDraftState(product: EditableProductFragment | null, initial: ProductDraft | undefined) {
  const timeZone = useTimeZone();
  const read = (saved: EditableProductFragment | null) => draftOf(saved, timeZone);
  const [state, setState] = useState(() => startFrom(product, read(product), initial));
  const current = useRef(state);

  function update(change: (now: State) => Partial<State>) {
    current.current = { ...current.current, ...change(current.current) };
    setState(current.current);
  }

  return { state, current, update, read };
}

/** A product as its form holds it, what has changed in it and what is wrong with it. A new one begins as `initial`. */
export function useProductDraft(product: EditableProductFragment | null, initial?: ProductDraft) {
  const { state, current, update, read } = useDraftState(product, initial);

  const uploads = useUploads({
    waiting: waitingIn(state.draft.pictures),
    onUploaded: (key, imageId) =>
      update(({ draft }) => ({
        draft: {
          ...draft,
          pictures: draft.pictures.map((picture) => (picture.key === key ? { ...picture, imageId } : picture)),
        },
      })),
    onRefused: (key, file, message) =>
      update(({ draft, problemsWhenSent }) => ({
        draft: { ...draft, pictures: draft.pictures.filter((picture) => picture.key !== key) },
        problemsWhenSent: {
          ...problemsWhenSent,
          // Every refused picture is named: any edit of the pictures removes what was said of those before.
          images: [problemsWhenSent.images, message ? `${file.name}: ${message}` : texts.uploadFailed(file.name)]
            .filter(Boolean)
            .join(' '),
        },
      })),
  });

  const { base, draft } = state;
  useObjectUrls(
    useMemo(() => draft.pictures.map(({ src }) => src), [draft.pictures]),
    // The draft of a new product outlives the tab of the back office.
    { kept: product === null },
  );

  return {
    product: state.product,
    base,
    draft,
    uploads,
    changes: changesBetween(base, draft),
    problems: shownProblems(state),
    latest: () => current.current.draft,
    edit: (edits: Partial<ProductDraft>) =>
      update((now) => ({
        draft: { ...now.draft, ...edits },
        problemsWhenSent: withoutAnswered(now.problemsWhenSent, edits),
      })),
    refuse: (problems: Problems) =>
      update(({ problemsWhenSent }) => ({ problemsWhenSent: { ...problemsWhenSent, ...problems } })),
    /** Shows what is wrong with the draft, and answers whether it can be sent. */
    check() {
      if (!current.current.product)
        update(({ draft, problemsWhenSent }) => ({
          problemsWhenSent: { ...problemsOf(draft, null), ...problemsWhenSent },
        }));
      return Object.keys(shownProblems(current.current)).length === 0;
    },
    undo() {
      uploads.stopAll();
      update((now) => ({ draft: now.base, problemsWhenSent: {} }));
    },
    saved: (saved: EditableProductFragment) => update(() => startFrom(saved, read(saved))),
    /** Goes on from a newer version unless others have saved something in it, which it answers. */
    follow(newer: EditableProductFragment): Change[] {
      const theirs = othersIn(newer, read(newer), current.current);
      if (theirs.length === 0) this.restart(newer, { keepMine: true });
      return theirs;
    },
    /** Goes on from what another admin has saved, with my changes on top of it or without them. */
    restart(theirs: EditableProductFragment, { keepMine }: { keepMine: boolean }) {
      if (!keepMine) uploads.stopAll();
      const base = read(theirs);
      update((now) => startFrom(theirs, base, keepMine ? rebase(now.base, now.draft, base) : base));
    },
  };
}

export type ProductForm = ReturnType<typeof useProductDraft>;
