import { useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { session } from '~/session/storage';
import { Link } from '~/ui/link';
import { texts as ui } from '~/ui/texts';
import styles from './signed-out-note.module.css';
import { texts } from './session-texts';

/** The way back in after a session has ended, for longer than the message about it is seen. */
export function SignedOutNote() {
  const { pathname } = useLocation();
  const hasEnded = useSyncExternalStore(session.subscribe, session.hasEnded, () => false);
  if (!hasEnded || pathname === '/signin') return null;
  return (
    <aside className={`page ${styles.note}`} aria-label={texts.signedOut}>
      {texts.signedOut}.{' '}
      <Link to="/signin" className="link">
        {ui.signIn}
      </Link>
    </aside>
  );
}
