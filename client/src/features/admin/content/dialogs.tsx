import { type SubmitEvent, useState } from 'react';
import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog';
import { Field } from '~/ui/field';
import { FormEnd } from '~/ui/form-end';
import { localMomentIn, parseMomentIn } from '~/ui/moment';
import { Moment, useTimeZone } from '~/ui/time-zone';
import styles from './content.module.css';
import type { PageDraftFragment } from './content.generated';
import { texts } from './texts';

interface ConflictDialogProps {
  /** What another admin has saved. */
  page: PageDraftFragment;
  theirs: readonly string[];
  mine: readonly string[];
  onKeep: () => void;
  onDiscard: () => void;
}

/** Another admin has saved this page meanwhile: says who and what, and offers both. */
export function ConflictDialog({ page, theirs, mine, onKeep, onDiscard }: ConflictDialogProps) {
  return (
    <Dialog open title={texts.conflictTitle} onClose={onKeep}>
      <div className={styles.dialog}>
        <p>
          {page.updatedBy} has changed it while you were editing. Nothing of yours is saved yet, and nothing is lost.
        </p>
        {theirs.length > 0 && <Changes label="Changed meanwhile" names={theirs} />}
        {mine.length > 0 && <Changes label="Changed by you" names={mine} />}
        {mine.length > 0 && (
          <p>If you keep your changes, they come on top of these. A block that both have changed is there twice.</p>
        )}
        <div className={styles.actions}>
          <Button small onClick={onDiscard}>
            {texts.discardMine}
          </Button>
          <Button small kind="primary" onClick={onKeep}>
            {texts.keepMine}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Changes({ label, names }: { label: string; names: readonly string[] }) {
  return (
    <div>
      <p className="small soft">{label}</p>
      <ul aria-label={label}>
        {names.map((name, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- two blocks may be called alike.
          <li key={at}>{name}</li>
        ))}
      </ul>
    </div>
  );
}

interface VersionsDialogProps {
  page: PageDraftFragment;
  working: boolean;
  onRevert: (number: number) => void;
  onClose: () => void;
}

/** What was published, newest first, with a way back to each. */
export function VersionsDialog({ page, working, onRevert, onClose }: VersionsDialogProps) {
  return (
    <Dialog open title={texts.versions} onClose={onClose}>
      {page.versions.length === 0 && <p>{texts.noVersions}</p>}
      <ul className={styles.versions}>
        {page.versions.map(({ number, title, publishedBy, publishedAt }) => (
          <li key={number}>
            <div>
              <strong>{`${number}. ${title}`}</strong>
              <p className="small soft">
                <Moment at={publishedAt} />, {publishedBy}
              </p>
            </div>
            <Button
              small
              working={working && texts.saving}
              aria-label={`${texts.makeDraft}: ${number}`}
              onClick={() => onRevert(number)}
            >
              {texts.makeDraft}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

interface ScheduleDialogProps {
  publishAt: string | null | undefined;
  working: boolean;
  /** Why it was refused. */
  refusal: string | undefined;
  onSchedule: (at: string) => void;
  onCancelTime: () => void;
  onClose: () => void;
}

/** When the draft, as it is by then, is published. */
export function ScheduleDialog({
  publishAt,
  working,
  refusal,
  onSchedule,
  onCancelTime,
  onClose,
}: ScheduleDialogProps) {
  const timeZone = useTimeZone();
  const [typed, setTyped] = useState(() => localMomentIn(timeZone, publishAt));
  const [error, setError] = useState<string>();

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { value } = parseMomentIn(timeZone, typed);
    setError(value ? undefined : texts.badMoment);
    if (value) onSchedule(value);
  }

  return (
    <Dialog open title={texts.publishLater} onClose={onClose}>
      <form className={styles.dialog} noValidate onSubmit={submit}>
        <Field
          label={texts.at}
          type="datetime-local"
          value={typed}
          error={error ?? refusal}
          note={`By the clock of the shop, ${timeZone.replaceAll('_', ' ')}.`}
          onChange={({ target }) => setTyped(target.value)}
        />
        <FormEnd submit={texts.schedule} working={working && texts.saving} onCancel={onClose}>
          {publishAt && (
            <Button small onClick={onCancelTime}>
              {texts.cancelTime}
            </Button>
          )}
        </FormEnd>
      </form>
    </Dialog>
  );
}
