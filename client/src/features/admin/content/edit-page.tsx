import { type ComponentType, useState } from 'react';
import { LeaveDialog } from '~/features/admin/leave-dialog';
import { useLeaveGuard } from '~/features/admin/use-leave-guard';
import type { UpdatePageInput } from '~/graphql/schema.generated';
import { Link } from '~/ui/link';
import type { Names } from './block-field';
import { BlockForm } from './block-form';
import { BlockList, PAGE } from './block-list';
import type { PageDraftFragment } from './content.generated';
import styles from './content.module.css';
import { ConflictDialog } from './dialogs';
import { PageBar } from './page-bar';
import type { KindForm } from './page-draft';
import { PageState } from './page-state';
import { texts } from './texts';
import { usePageDraft } from './use-page-draft';
import { usePageMutations } from './use-page-mutations';

export type Problems = Readonly<Record<string, string>>;

export interface PreviewProps {
  pageId: string;
  input: UpdatePageInput;
  /** Told what keeps it from being shown, by places in the input. */
  onProblems: (problems: Problems) => void;
}

interface EditPageProps {
  page: PageDraftFragment;
  kinds: readonly KindForm[];
  names: Names;
  /** Draws the page as shoppers would see it. */
  Preview: ComponentType<PreviewProps>;
  /** Called when the page is deleted. */
  onGone: () => void;
}

/** One page: the order of its blocks, the form of one, and the whole as shoppers would see it. */
export function EditPage({ page, kinds, names, Preview, onGone }: EditPageProps) {
  const form = usePageDraft(page, kinds);
  const mutations = usePageMutations(form);
  const [chosen, setChosen] = useState<string>(PAGE);
  const [previewProblems, setPreviewProblems] = useState<Problems>({});
  const isDirty = form.changes.length > 0;
  const guard = useLeaveGuard(isDirty);
  const problems = { ...mutations.problems, ...previewProblems };
  const broken = Object.keys(problems);
  const { conflict } = mutations;

  // No form of its own: the dialogs inside have theirs.
  return (
    <div className={styles.editor}>
      <nav className="small" aria-label="Breadcrumb">
        <Link to="/admin/content" className="link">
          {texts.title}
        </Link>{' '}
        / <span aria-current="page">{form.page.title}</span>
      </nav>
      <div className={styles.head}>
        <h2>{form.page.title}</h2>
        <p>
          <PageState page={form.page} />
        </p>
        {form.page.isPublished && (
          <a className="link small" href={form.page.path}>
            {form.page.path}
          </a>
        )}
      </div>
      <div className={styles.columns}>
        <BlockList form={form} kinds={kinds} chosen={chosen} broken={broken} onChoose={setChosen} />
        <BlockForm form={form} kinds={kinds} chosen={chosen} around={{ ...names, problems }} />
        <Preview pageId={form.page.id} input={form.input} onProblems={setPreviewProblems} />
      </div>
      <PageBar form={form} mutations={mutations} broken={broken.length} onGone={onGone} />
      {conflict && (
        <ConflictDialog
          page={conflict}
          theirs={form.changesOf(conflict)}
          mine={form.changes}
          onKeep={() => mutations.resolve(true)}
          onDiscard={() => mutations.resolve(false)}
        />
      )}
      <LeaveDialog guard={guard} changes={form.changes} />
    </div>
  );
}
