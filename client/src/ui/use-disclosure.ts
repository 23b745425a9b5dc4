import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';

/** Calls back at a press outside of the place while something is open. */
export function useOutsidePress(place: RefObject<HTMLElement | null>, open: boolean, onPress: () => void) {
  const pressed = useEffectEvent(onPress);

  useEffect(() => {
    if (!open) return;
    const outside = ({ target }: PointerEvent) => {
      if (!place.current?.contains(target as Node)) pressed();
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [place, open]);
}

/**
 * A button that shows something near it. Esc, `close`, a press outside and the leaving of the focus close it; the first two
 * give the focus back to the button. Arrows walk what `items` selects. Spread `place` on the element around both, `opener` on the button.
 */
export function useDisclosure<Place extends HTMLElement>(items?: string) {
  const [open, setOpen] = useState(false);
  const place = useRef<Place>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panelId = useId();
  useOutsidePress(place, open, () => setOpen(false));

  /** Before what has the focus goes, so that a dialog that it opens gives the focus back to the button, too. */
  function close() {
    button.current?.focus();
    setOpen(false);
  }

  function walk(step: number) {
    const elements = [
      ...(items ? (place.current?.querySelectorAll<HTMLElement>(`[id="${panelId}"] :is(${items})`) ?? []) : []),
    ];
    const at = elements.indexOf(document.activeElement as HTMLElement);
    elements.at((at + step + elements.length) % elements.length)?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!open) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      close();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!items || !step || (event.target as HTMLElement).matches('input:not([type=checkbox]), select')) return;
    event.preventDefault();
    walk(step);
  }

  return {
    open,
    close,
    panelId,
    place: {
      ref: place,
      onBlur: ({ relatedTarget }: FocusEvent) => {
        if (relatedTarget && !place.current?.contains(relatedTarget)) setOpen(false);
      },
      onKeyDown,
    },
    opener: { ref: button, 'aria-expanded': open, 'aria-controls': panelId, onClick: () => setOpen(!open) },
  };
}
