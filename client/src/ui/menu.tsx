import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import styles from './menu.module.css';

interface PopoverProps {
  /** What the opener says to a screen reader when `opener` has no words of its own. */
  label?: string | undefined;
  opener: ReactNode;
  openerClass?: string | undefined;
  /** Opens toward the right instead of the left. */
  start?: boolean | undefined;
  children: ReactNode;
}

/** Closes by Esc, by a press outside and when focus leaves; Esc gives focus back to the opener. */
export function useDisclosure() {
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!open) return;
    const outside = ({ target }: PointerEvent) => {
      if (!place.current?.contains(target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [open]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !open) return;
    event.stopPropagation();
    setOpen(false);
    button.current?.focus();
  }

  return { open, setOpen, place, button, onKeyDown };
}

/** A press that shows something below it. */
export function Popover({ label, opener, openerClass, start, children }: PopoverProps) {
  const { open, setOpen, place, button, onKeyDown } = useDisclosure();
  const panel = useId();
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys and focus bubble here from what is inside.
    <div
      ref={place}
      className={`${styles.place} ${start ? styles.start : ''}`}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget && !place.current?.contains(relatedTarget)) setOpen(false);
      }}
      onKeyDown={onKeyDown}
    >
      <button
        ref={button}
        type="button"
        className={openerClass}
        aria-label={label}
        aria-expanded={open}
        aria-controls={panel}
        onClick={() => setOpen(!open)}
      >
        {opener}
      </button>
      {open && (
        <div id={panel} className={styles.panel}>
          {children}
        </div>
      )}
    </div>
  );
}

/** A few links or buttons, each in an `<li>`; a press on any closes it, arrows walk it. */
export function Menu({ label, opener, openerClass, start, children }: PopoverProps) {
  const { open, setOpen, place, button, onKeyDown } = useDisclosure();
  const list = useId();

  function walk(step: number) {
    const items = [...(place.current?.querySelectorAll<HTMLElement>('ul a, ul button') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    items.at((at + step + items.length) % items.length)?.focus();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys and focus bubble here from what is inside.
    <div
      ref={place}
      className={`${styles.place} ${start ? styles.start : ''}`}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget && !place.current?.contains(relatedTarget)) setOpen(false);
      }}
      onKeyDown={(event) => {
        onKeyDown(event);
        if (!open || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
        event.preventDefault();
        walk(event.key === 'ArrowDown' ? 1 : -1);
      }}
    >
      <button
        ref={button}
        type="button"
        className={openerClass}
        aria-label={label}
        aria-expanded={open}
        aria-controls={list}
        onClick={() => setOpen(!open)}
      >
        {opener}
      </button>
      {open && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- the presses are on the links and buttons inside.
        <ul id={list} className={styles.list} onClick={() => setOpen(false)}>
          {children}
        </ul>
      )}
    </div>
  );
}
