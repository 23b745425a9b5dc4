import type { ReactNode } from 'react';
import styles from './menu.module.css';
import { useDisclosure } from './use-disclosure';

interface PopoverProps {
  /** What the opener says to a screen reader when `opener` has no words of its own. */
  label?: string | undefined;
  opener: ReactNode;
  openerClass?: string | undefined;
  /** Opens toward the right instead of the left. */
  start?: boolean | undefined;
  children: ReactNode;
}

/** A press that shows something below it. */
export function Popover({ label, opener, openerClass, start, children }: PopoverProps) {
  const disclosure = useDisclosure<HTMLDivElement>();
  return (
    <div {...disclosure.place} className={`${styles.place} ${start ? styles.start : ''}`}>
      <button {...disclosure.opener} type="button" className={openerClass} aria-label={label}>
        {opener}
      </button>
      {disclosure.open && (
        <div id={disclosure.panelId} className={styles.panel}>
          {children}
        </div>
      )}
    </div>
  );
}

/** A few links or buttons, each in an `<li>`; a press on any closes it, arrows walk it. */
export function Menu({ label, opener, openerClass, start, children }: PopoverProps) {
  const disclosure = useDisclosure<HTMLDivElement>('a, button');
  return (
    <div {...disclosure.place} className={`${styles.place} ${start ? styles.start : ''}`}>
      <button {...disclosure.opener} type="button" className={openerClass} aria-label={label}>
        {opener}
      </button>
      {disclosure.open && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- the presses are on the links and buttons inside.
        <ul id={disclosure.panelId} className={styles.list} onClick={disclosure.close}>
          {children}
        </ul>
      )}
    </div>
  );
}
