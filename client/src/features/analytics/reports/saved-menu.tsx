import { useState } from 'react';
import { ConfirmDialog } from '~/ui/dialog';
import type { SavedReportFragment } from './report.generated';
import styles from './builder.module.css';
import { NameDialog } from './name-dialog';
import { texts } from './texts';
import type { useSavedReports } from './use-saved-reports';
import { Choice, Word } from './word';

interface SavedMenuProps {
  saved: ReturnType<typeof useSavedReports>;
  opened: SavedReportFragment | undefined;
  isChanged: boolean;
  onOpen: (report: SavedReportFragment | null) => void;
}

/** Saved reports by name; the one that is open can be renamed and deleted. */
export function SavedMenu({ saved, opened, isChanged, onOpen }: SavedMenuProps) {
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null);
  const close = () => setDialog(null);

  return (
    <>
      <Word role={texts.savedReports} words={opened?.name ?? texts.unnamed}>
        {(shut) => (
          <>
            {saved.reports.length === 0 && <p className={styles.subhead}>{texts.noneSaved}</p>}
            {saved.reports.map((report) => (
              <Choice
                key={report.id}
                chosen={report.id === opened?.id}
                onChoose={() => {
                  onOpen(report);
                  shut();
                }}
              >
                {report.name}
              </Choice>
            ))}
            <hr />
            <Choice
              onChoose={() => {
                onOpen(null);
                shut();
              }}
            >
              {texts.newReport}
            </Choice>
            {opened && (
              <>
                <Choice onChoose={() => setDialog('rename')}>{texts.rename}</Choice>
                <Choice onChoose={() => setDialog('delete')}>{texts.delete}</Choice>
              </>
            )}
          </>
        )}
      </Word>
      {opened && isChanged && <span className={styles.changed}>{texts.changed}</span>}
      {opened && dialog === 'rename' && (
        <NameDialog title={texts.renameTitle} report={opened} onClose={close} onSaved={close} />
      )}
      {opened && (
        <ConfirmDialog
          open={dialog === 'delete'}
          title={texts.deleteTitle}
          text={texts.deleteText(opened.name)}
          confirm={texts.delete}
          working={saved.deleting && texts.deleting}
          onClose={close}
          onConfirm={() => {
            void saved.forget(opened).then((isGone) => {
              close();
              if (isGone) onOpen(null);
            });
          }}
        />
      )}
    </>
  );
}
