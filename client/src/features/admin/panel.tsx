import type { ReactNode } from 'react';
import { ButtonLink } from '~/ui/button';
import { Failure } from '~/ui/empty';
import { ErrorNote } from '~/ui/error-note';
import { Waiting } from '~/ui/ring';
import styles from './panel.module.css';
import { texts } from './texts';

interface PanelProps {
  title: string;
  /** Beside the title. */
  aside?: ReactNode;
  /** What is awaited, in words. */
  waiting: string;
  /** Why the last fetch failed. Content from an earlier fetch stays, under a note that says so. */
  failed: string | false;
  children: ReactNode;
}

/** One part of the back office: its content, the wait for it, or why there is none. */
export function Panel({ title, aside, waiting, failed, children }: PanelProps) {
  return (
    <section className={styles.panel}>
      <div className={styles.head}>
        <h2>{title}</h2>
        {aside}
      </div>
      {children && failed && <StaleNote>{failed}</StaleNote>}
      {children || (failed ? <PanelFailure>{failed}</PanelFailure> : <Waiting>{waiting}</Waiting>)}
    </section>
  );
}

/** Why the rows below are not those that were asked for. */
export function StaleNote({ children }: { children: string }) {
  return (
    <ErrorNote>
      {children.replace(/[.!]$/, '')}. {texts.stale}
    </ErrorNote>
  );
}

export function PanelFailure({ children }: { children: string }) {
  return (
    <Failure as="h2" title={texts.wrong} action={<ButtonLink to="/">{texts.returnHome}</ButtonLink>}>
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
