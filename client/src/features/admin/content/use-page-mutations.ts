import { useState } from 'react';
import { toResult } from '~/graphql/settled';
import { useOnce } from '~/graphql/use-once';
import { toast } from '~/ui/toast';
import {
  type PageDraftFragment,
  useCancelPublicationMutation,
  useDeletePageMutation,
  usePublishPageMutation,
  useRevertPageMutation,
  useUnpublishPageMutation,
  useUpdatePageMutation,
} from './content.generated';
import { texts } from './texts';
import type { PageForm } from './use-page-draft';

interface Broken {
  field: string;
  message: string;
}

/** What any change of a page answers. */
type Answer =
  | ({ __typename: 'EditablePage' } & PageDraftFragment)
  | { __typename: 'InvalidInput'; message: string; errors: readonly Broken[] }
  | { __typename: 'PageChangedMeanwhile'; page: PageDraftFragment };

interface Sent {
  data?: Readonly<Record<string, Answer>> | null | undefined;
}

const NO_PROBLEMS: Readonly<Record<string, string>> = {};

const asProblems = (errors: readonly Broken[]) =>
  Object.fromEntries(errors.map(({ field, message }) => [field, message]));

/** Changes of one page: each is sent once, and goes on from what it answers. */
export function usePageMutations(form: PageForm) {
  const { page, draft, input } = form;
  const { isSending, once } = useOnce();
  const [refused, setRefused] = useState<{ draft: typeof draft; errors: readonly Broken[] }>();
  const [conflict, setConflict] = useState<PageDraftFragment | null>(null);
  const [updatePage] = useUpdatePageMutation();
  const [publishPage] = usePublishPageMutation();
  const [revertPage] = useRevertPageMutation();
  const [cancelPublication] = useCancelPublicationMutation();
  const [unpublishPage] = useUnpublishPageMutation();
  const { id, version } = page;

  function settle(answer: Answer, words: string): boolean {
    if (answer.__typename === 'PageChangedMeanwhile') {
      setConflict(answer.page);
    } else if (answer.__typename === 'InvalidInput') {
      setRefused({ draft, errors: answer.errors });
      toast.error(answer.message);
    } else {
      form.saved(answer, draft);
      toast.success(words);
      return true;
    }
    return false;
  }

  /** Sends a change, which answers in one field; `done` is called when it was made. */
  const change = (send: () => Promise<Sent>, words: string, done?: () => void) =>
    void once(async () => {
      const { data, message } = await toResult(send());
      const [answer] = Object.values(data ?? {});
      if (!answer) toast.error(message ?? texts.notSaved);
      else if (settle(answer, words)) done?.();
    });

  return {
    isSending,
    /** What was wrong when it was sent, by places in the input, until something is changed. */
    problems: refused?.draft === draft ? asProblems(refused.errors) : NO_PROBLEMS,
    conflict,
    resolve(keepMine: boolean) {
      if (conflict) form.restart(conflict, { keepMine });
      setConflict(null);
    },
    save: () => change(() => updatePage({ variables: { id, version, input } }), texts.saved),
    publish: (at: string | null, done?: () => void) =>
      change(
        () => publishPage({ variables: { id, version, at } }),
        at === null ? texts.published : texts.scheduled,
        done,
      ),
    revert: (number: number | null, done?: () => void) =>
      change(() => revertPage({ variables: { id, version, number } }), texts.reverted, done),
    cancelTime: (done?: () => void) => change(() => cancelPublication({ variables: { id } }), texts.saved, done),
    unpublish: (done?: () => void) => change(() => unpublishPage({ variables: { id } }), texts.unpublished, done),
  };
}

export type PageMutations = ReturnType<typeof usePageMutations>;

/** Deletes a page, once; `done` is called when it is gone. */
export function useDeletePage(id: string, done: () => void) {
  const { isSending, once } = useOnce();
  const [deletePage] = useDeletePageMutation({
    update: (cache) => {
      cache.evict({ id: cache.identify({ __typename: 'EditablePage', id }) ?? '' });
    },
  });

  const remove = () =>
    void once(async () => {
      const { data, message } = await toResult(deletePage({ variables: { id } }));
      if (!data) return void toast.error(message ?? texts.notSaved);
      toast.success(texts.deleted);
      done();
    });

  return { isSending, remove };
}
