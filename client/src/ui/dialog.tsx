import { type MouseEvent, type ReactNode, useId, useRef } from 'react';
import { Button } from './button';
import styles from './dialog.module.css';
import { ErrorNote } from './error-note';
import { CrossIcon } from './icons';
import { useModal } from './use-modal';

interface DialogProps {
  open: boolean;
  title: string;
  onClose: () => void;
  /** Comes up from the lower edge, as wide as the window: for filters on a phone. */
  sheet?: boolean;
  /** A sheet; from 960 px on a drawer at the right edge with the window's full height. */
  side?: boolean;
  children: ReactNode;
}

/** The veil belongs to the dialog's element, and so does the padding inside its edges: only the place tells them apart. */
function isOnVeil({ target, currentTarget, clientX, clientY }: MouseEvent<HTMLDialogElement>): boolean {
  if (target !== currentTarget) return false;
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

/** The browser's modal dialog: focus goes in and comes back, Esc and a press on the veil close it. */
export function Dialog({ open, title, onClose, sheet, side, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const pressedVeil = useRef(false);

  useModal(dialog, open);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Esc is the dialog's own key; the press is on the veil behind it.
    <dialog
      ref={dialog}
      className={`${styles.dialog} ${sheet || side ? styles.sheet : ''} ${side ? styles.side : ''}`}
      aria-labelledby={titleId}
      onClose={({ currentTarget }) => {
        // The browser tells of a close a moment later, when the dialog may be open again.
        if (!currentTarget.open) onClose();
      }}
      onPointerDown={(event) => {
        pressedVeil.current = isOnVeil(event);
      }}
      onClick={(event) => {
        // A selection that begins inside may end on the veil, which then receives the click.
        if (pressedVeil.current && isOnVeil(event)) event.currentTarget.close();
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
