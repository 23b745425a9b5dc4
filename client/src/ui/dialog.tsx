import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button';
import styles from './dialog.module.css';
import { ErrorNote } from './error-note';
import { CrossIcon } from './icons';

interface DialogProps {
  open: boolean;
  title: string;
  onClose: () => void;
  /** Comes up from the lower edge, as wide as the window: for filters on a phone. */
  sheet?: boolean;
  /** A sheet that from 960 px stands at the right edge, as tall as the window. */
  side?: boolean;
  children: ReactNode;
}

/** The browser's modal dialog: focus goes in and comes back, Esc and a press on the veil close it. */
export function Dialog({ open, title, onClose, sheet, side, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    const element = dialog.current;
    if (open && element && !element.open) element.showModal();
    if (!open && element?.open) element.close();
  }, [open]);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Esc is the dialog's own key; the press is on the veil behind it.
    <dialog
      ref={dialog}
      className={`${styles.dialog} ${sheet || side ? styles.sheet : ''} ${side ? styles.side : ''}`}
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current.close();
      }}
    >
      {open && (
        <>
          <div className={styles.head}>
            <h2 id={titleId}>{title}</h2>
            {(sheet || side) && (
              <button type="button" className={styles.close} aria-label="Close" onClick={onClose}>
                <CrossIcon />
              </button>
            )}
          </div>
          {children}
        </>
      )}
    </dialog>
  );
}

interface ConfirmProps {
  open: boolean;
  title: string;
  text: string;
  confirm: string;
  /** The way out, where "Cancel" could be taken for the deed itself. */
  dismiss?: string;
  /** Why it has not been done. */
  refusal?: string | null;
  working?: string | false;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({
  open,
  title,
  text,
  confirm,
  dismiss = 'Cancel',
  refusal,
  working,
  onConfirm,
  onClose,
}: ConfirmProps) {
  return (
    <Dialog open={open} title={title} onClose={onClose}>
      <p>{text}</p>
      {refusal && <ErrorNote>{refusal}</ErrorNote>}
      <div className={styles.actions}>
        <Button small onClick={onClose}>
          {dismiss}
        </Button>
        <Button small kind="danger" working={working} onClick={onConfirm}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
