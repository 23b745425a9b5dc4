import { type ReactNode, useEffect, useRef } from 'react';
import { ChevronDownIcon } from '~/ui/icons';
import { useDisclosure } from '~/ui/use-disclosure';
import styles from './builder.module.css';

interface WordProps {
  /** Where focus goes when another word is taken out. */
  id?: string;
  /** The word's role, for screen readers: "Measure". */
  role: string;
  words: ReactNode;
  /** Not a word of the sentence but a way to more. */
  quiet?: boolean;
  /** What opens below; `close` gives focus back to the word. */
  children: (close: () => void) => ReactNode;
}

const OPERABLE = 'button, input, select';

/** An underlined word of the report's sentence: a press opens its menu, arrows walk it. */
export function Word({ id, role, words, quiet, children }: WordProps) {
  const { open, close, place, opener, panelId } = useDisclosure<HTMLSpanElement>(OPERABLE);
  const panel = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!open) return;
    const chosen = panel.current?.querySelector<HTMLElement>('[aria-checked="true"], [aria-pressed="true"]');
    (chosen ?? panel.current?.querySelector<HTMLElement>(OPERABLE))?.focus();
  }, [open]);

  return (
    <span {...place} className={styles.place}>
      <button {...opener} type="button" className={quiet ? styles.quiet : styles.word} id={id}>
        <span className="visually-hidden">{role}: </span>
        {words}
        {!quiet && <ChevronDownIcon size={14} />}
      </button>
      {open && (
        <div ref={panel} id={panelId} className={styles.panel} role="group" aria-label={role}>
          {children(close)}
        </div>
      )}
    </span>
  );
}

interface ChoiceProps {
  chosen?: boolean;
  /** Why it cannot be chosen. */
  refusal?: string | null;
  /** What it means, below. */
  note?: string | undefined;
  onChoose: () => void;
  children: ReactNode;
}

/** One line of a word's menu; what does not fit says why. */
export function Choice({ chosen, refusal, note, onChoose, children }: ChoiceProps) {
  const small = refusal ?? note;
  return (
    <button
      type="button"
      className={styles.choice}
      aria-pressed={chosen}
      aria-disabled={refusal ? true : undefined}
      onClick={() => {
        if (!refusal) onChoose();
      }}
    >
      {children}
      {small && <small>{small}</small>}
    </button>
  );
}
