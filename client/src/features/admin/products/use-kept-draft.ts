import { useEffect, useRef } from 'react';
import { session } from '~/session/storage';
import { useUser } from '~/session/use-session';
import { emptyDraft, type ProductDraft } from './product-draft';

let keptDraft: { userId: string; draft: ProductDraft } | null = null;

session.subscribe(() => {
  if (keptDraft?.userId !== session.user()?.id) keptDraft = null;
});

/**
 * What was entered into the form for a new product stays in memory while its admin is elsewhere in the back office:
 * pictures cannot be kept in an address or in storage.
 */
export function useKeptDraft() {
  const userId = useUser()?.id;
  const form = useRef({ latest: () => emptyDraft, isDone: false });

  useEffect(() => {
    const { current } = form;
    return () => {
      if (userId && !current.isDone) keptDraft = { userId, draft: current.latest() };
    };
  }, [userId]);

  return {
    initial: keptDraft && keptDraft.userId === userId ? keptDraft.draft : emptyDraft,
    follow: (latest: () => ProductDraft) => {
      form.current.latest = latest;
    },
    forget: () => {
      form.current.isDone = true;
      keptDraft = null;
    },
  };
}
