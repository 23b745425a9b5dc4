import { type ReactNode, type RefObject, useRef } from 'react';
import { Button, ButtonLink } from '~/ui/button';
import { Failure } from '~/ui/empty';
import { ErrorNote } from '~/ui/error-note';
import { Waiting } from '~/ui/ring';
import styles from './panel.module.css';
import { texts } from './texts';

interface PanelProps {
  /** Left out where a tab or a heading above says it. */
  title?: string;
  /** Beside the title. */
  aside?: ReactNode;
  /** What is awaited, in words. */
  waiting?: string;
  /** Stands where the content will be, in its size. */
  skeleton?: ReactNode;
  /** Why the last fetch failed. Content from an earlier fetch stays, under a note that says so. */
  failed?: string | false;
  /** Fetches again. */
  onRetry?: (() => void) | undefined;
  children: ReactNode;
}

/** One part of the back office: its content, the wait for it, or why there is none. */
export function Panel({ title, aside, waiting = '', skeleton, failed = false, onRetry, children }: PanelProps) {
  const start = useRef<HTMLElement>(null);
  // The button goes when it is pressed; the focus stays in the panel.
  const retry =
    onRetry &&
    (() => {
      start.current?.focus();
      onRetry();
    });
  return (
    <section className={styles.panel} {...(title === undefined && { ref: start, tabIndex: -1 })}>
      {title !== undefined && (
        <div className={styles.head}>
          <h2 ref={start as RefObject<HTMLHeadingElement>} tabIndex={-1}>
            {title}
          </h2>
          {aside}
        </div>
      )}
      {children && failed && <StaleNote onRetry={retry}>{failed}</StaleNote>}
      {children ||
        (failed ? (
          <PanelFailure onRetry={retry}>{failed}</PanelFailure>
        ) : (
          <>
            <Waiting>{waiting}</Waiting>
            {skeleton}
          </>
        ))}
    </section>
  );
}

interface FailureProps {
  onRetry?: (() => void) | undefined;
  children: string;
}

function Retry({ onRetry }: Pick<FailureProps, 'onRetry'>) {
  return (
    onRetry && (
      <Button small onClick={onRetry}>
        {texts.tryAgain}
      </Button>
    )
  );
}

/** Why the rows below are not those that were asked for. */
function StaleNote({ onRetry, children }: FailureProps) {
  return (
    <div className={styles.failure}>
      <ErrorNote>
        {children.replace(/[.!]$/, '')}. {texts.stale}
      </ErrorNote>
      <Retry onRetry={onRetry} />
    </div>
  );
}

export function PanelFailure({ onRetry, children }: FailureProps) {
  return (
    <Failure
      as="h2"
      title={texts.wrong}
      action={
        <div className={styles.failure}>
          <Retry onRetry={onRetry} />
          <ButtonLink to="/">{texts.returnHome}</ButtonLink>
        </div>
      }
    >
      {children}
    </Failure>
  );
}

export function AccessDenied() {
  return (
    <Failure as="h2" title={texts.denied} action={<ButtonLink to="/">{texts.returnHome}</ButtonLink>}>
      Ask for access from your account menu: Request Admin Access.
    </Failure>
  );
}

/** The way to the one thing that an admin without a second factor can do, where the shop asks for one. */
export function SecondFactorMissing() {
  return (
    <Failure
      as="h2"
      title={texts.noSecondFactor}
      action={<ButtonLink to="/account?tab=details">{texts.setUpSecondFactor}</ButtonLink>}
    >
      Admins of this shop sign in with a passkey or with codes of an authenticator app.
    </Failure>
  );
}

/** Why the buttons below are disabled, for those who may not press them. */
export function PrivilegeNote({ id, allowed }: { id: string; allowed: boolean }) {
  if (allowed) return null;
  return (
    <p id={id} className={styles.note}>
      {texts.noPrivileges}
    </p>
  );
}
