import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './button.module.css';
import { CheckIcon } from './icons';
import { Link, type LinkProps } from './link';
import { Ring } from './ring';

type Kind = 'primary' | 'second' | 'danger';

interface Look {
  kind?: Kind;
  /** 40 px instead of 52: for tables and dialogs. */
  small?: boolean;
  /** As wide as its place. */
  wide?: boolean;
  centered?: boolean;
  /** Price or arrow at the right; not part of the accessible name. */
  end?: ReactNode;
}

interface ButtonProps extends Look, ComponentPropsWithRef<'button'> {
  /** What it says while it works, such as "Adding ..."; set only meanwhile. */
  working?: string | false;
  /** What it says when it has worked, such as "In your cart"; set for two seconds. */
  done?: string | false;
}

function classes({ kind = 'second', small, wide, centered }: Look, more?: string) {
  return [styles.button, styles[kind], small && styles.small, wide && styles.wide, centered && styles.centered, more]
    .filter(Boolean)
    .join(' ');
}

/** A press. While `working` it stays focused and ignores further presses. */
export function Button({
  kind,
  small,
  wide,
  centered,
  end,
  working,
  done,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const busy = Boolean(working);
  return (
    <button
      {...rest}
      type={type}
      className={classes({ kind, small, wide, centered }, className)}
      aria-busy={busy || undefined}
      data-busy={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      <span>{working || done || children}</span>
      {busy && (
        <span className={styles.end}>
          <Ring />
        </span>
      )}
      {!busy && done && (
        <span className={styles.end}>
          <CheckIcon />
        </span>
      )}
      {!busy && !done && end && (
        <span className={styles.end} aria-hidden="true">
          {end}
        </span>
      )}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({ kind, small, wide, centered, end, className, children, ...rest }: Look & LinkProps) {
  return (
    <Link {...rest} className={classes({ kind, small, wide, centered }, className)}>
      <span>{children}</span>
      {end && (
        <span className={styles.end} aria-hidden="true">
          {end}
        </span>
      )}
    </Link>
  );
}
