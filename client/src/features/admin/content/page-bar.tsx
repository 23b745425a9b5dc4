import { type ReactNode, useState } from 'react';
import { ActionBar } from '~/ui/action-bar';
import { Button } from '~/ui/button';
import { ConfirmDialog } from '~/ui/dialog';
import { ChevronDownIcon } from '~/ui/icons';
import { Menu } from '~/ui/menu';
import { Moment } from '~/ui/time-zone';
import styles from './content.module.css';
import { ScheduleDialog, VersionsDialog } from './dialogs';
import { texts } from './texts';
import type { PageForm } from './use-page-draft';
import { type PageMutations, useDeletePage } from './use-page-mutations';

const NAMED = 3;

function sentence(changes: readonly string[]): string {
  const rest = changes.length - NAMED;
  const names = changes.slice(0, NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return `${changes.length === 1 ? '1 unsaved change' : `${changes.length} unsaved changes`}: ${names}.`;
}

interface PageBarProps {
  form: PageForm;
  mutations: PageMutations;
  /** Fields that keep the draft from being saved. */
  broken: number;
  /** Called when the page is deleted. */
  onGone: () => void;
}

/** The end of the editor: what is not saved, or what becomes of what is. */
export function PageBar(props: PageBarProps) {
  const isDirty = props.form.changes.length > 0;
  return (
    <ActionBar label={isDirty ? texts.unsaved : texts.state} className={styles.bar}>
      {isDirty ? <Unsaved {...props} /> : <Saved {...props} />}
    </ActionBar>
  );
}

function Unsaved({ form, mutations, broken }: PageBarProps) {
  return (
    <>
      <p className="small">
        {sentence(form.changes)}
        {broken > 0 && (
          <span className={styles.broken}>
            {broken === 1 ? ' 1 field needs attention.' : ` ${broken} fields need attention.`}
          </span>
        )}
      </p>
      <Button small disabled={mutations.isSending} onClick={form.undo}>
        {texts.undo}
      </Button>
      <Button small kind="primary" working={mutations.isSending && texts.saving} onClick={mutations.save}>
        {texts.save}
      </Button>
    </>
  );
}

type Open = 'versions' | 'schedule' | 'unpublish' | 'throwAway' | 'delete' | null;

function Saved({ form: { page }, mutations, onGone }: PageBarProps) {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const canPublish = !page.isPublished || page.hasChanges;
  return (
    <>
      <p className="small">
        Saved <Moment at={page.updatedAt} />, {page.updatedBy}. {!canPublish && texts.nothingToPublish}
      </p>
      <Menu
        label={texts.more}
        openerClass={styles.more}
        opener={
          <>
            {texts.more}
            <ChevronDownIcon size={16} />
          </>
        }
      >
        <Item onPress={() => setOpen('versions')}>{`${texts.versions}, ${page.versions.length}`}</Item>
        {page.hasChanges && <Item onPress={() => setOpen('throwAway')}>{texts.throwAway}</Item>}
        {page.isPublished && <Item onPress={() => setOpen('unpublish')}>{texts.unpublish}</Item>}
        <Item onPress={() => setOpen('delete')}>{texts.delete}</Item>
      </Menu>
      <Button small disabled={!canPublish} onClick={() => setOpen('schedule')}>
        {texts.publishLater}
      </Button>
      <Button
        small
        kind="primary"
        disabled={!canPublish}
        working={mutations.isSending && texts.publishing}
        onClick={() => mutations.publish(null)}
      >
        {texts.publish}
      </Button>
      <Dialogs page={page} mutations={mutations} open={open} close={close} onGone={onGone} />
    </>
  );
}

function Item({ onPress, children }: { onPress: () => void; children: ReactNode }) {
  return (
    <li>
      <button type="button" onClick={onPress}>
        {children}
      </button>
    </li>
  );
}

interface DialogsProps {
  page: PageForm['page'];
  mutations: PageMutations;
  open: Open;
  close: () => void;
  onGone: () => void;
}

function Dialogs({ page, mutations, open, close, onGone }: DialogsProps) {
  const deletion = useDeletePage(page.id, onGone);
  const isSending = mutations.isSending || deletion.isSending;
  const asked = {
    unpublish: { text: texts.unpublishText, confirm: texts.unpublish, run: () => mutations.unpublish(close) },
    throwAway: { text: texts.throwAwayText, confirm: texts.throwAway, run: () => mutations.revert(null, close) },
    delete: { text: texts.deleteText, confirm: texts.delete, run: deletion.remove },
  };
  if (open === 'versions')
    return (
      <VersionsDialog
        page={page}
        working={isSending}
        onRevert={(number) => mutations.revert(number, close)}
        onClose={close}
      />
    );
  if (open === 'schedule')
    return (
      <ScheduleDialog
        publishAt={page.publishAt}
        working={isSending}
        refusal={mutations.problems['at']}
        onSchedule={(at) => mutations.publish(at, close)}
        onCancelTime={() => mutations.cancelTime(close)}
        onClose={close}
      />
    );
  if (open === null) return null;
  const { text, confirm, run } = asked[open];
  return (
    <ConfirmDialog
      open
      title={`${confirm}: ${page.title}`}
      text={text}
      confirm={confirm}
      working={isSending && texts.saving}
      onConfirm={run}
      onClose={close}
    />
  );
}
