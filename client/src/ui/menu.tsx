import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import styles from './menu.module.css';

interface MenuProps {
  /** What the opener says to a screen reader when `opener` has no words of its own. */
  label?: string;
  opener: ReactNode;
  openerClass?: string | undefined;
  /** Opens toward the right instead of the left. */
  start?: boolean;
  /** Links and buttons, one under the other; a press on any of them closes the menu. */
  children: ReactNode;
}

/** A disclosure of a few links or buttons: Esc, a press outside and leaving by Tab close it; arrows walk it. */
export function Menu({ label, opener, openerClass, start, children }: MenuProps) {
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useId();

  useEffect(() => {
    if (!open) return;
    const outside = (event: PointerEvent) => {
      if (!place.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [open]);

  function walk(step: number) {
    const items = [...(place.current?.querySelectorAll<HTMLElement>('ul a, ul button') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    items.at((at + step + items.length) % items.length)?.focus();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys and focus bubble here from the button and the list.
    <div
      ref={place}
      className={`${styles.place} ${start ? styles.start : ''}`}
      onBlur={(event) => {
        if (event.relatedTarget && !place.current?.contains(event.relatedTarget)) setOpen(false);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && open) {
          setOpen(false);
          button.current?.focus();
        }
        if (open && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
          event.preventDefault();
          walk(event.key === 'ArrowDown' ? 1 : -1);
        }
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
