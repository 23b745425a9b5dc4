import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './choice.module.css';
import { CheckIcon } from './icons';
import { Ring } from './ring';

type ChoiceProps = Omit<ComponentPropsWithRef<'input'>, 'type'> & { children: ReactNode };

/** `busy` shows a ring in place of the box, which stays operable. */
export function Checkbox({ children, busy, ...input }: ChoiceProps & { busy?: boolean }) {
  return (
    <label className={styles.choice}>
      <span className={styles.box}>
        <input {...input} type="checkbox" style={busy ? { opacity: 0 } : undefined} aria-busy={busy || undefined} />
        {busy ? <Ring /> : <CheckIcon size={14} className={styles.mark} />}
      </span>
      {children}
    </label>
  );
}

export function Radio({ children, ...input }: ChoiceProps) {
  return (
    <label className={styles.choice}>
      <span className={styles.box}>
        <input {...input} type="radio" />
      </span>
      {children}
    </label>
  );
}
