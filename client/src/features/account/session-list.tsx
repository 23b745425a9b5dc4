import { Button } from '~/ui/button';
import { browserTimeZone, formatMomentIn } from '~/ui/format';
import { toast } from '~/ui/toast';
import styles from './account-details.module.css';
import { browserName } from '~/ui/browser-name';
import {
  type SessionListFragment,
  useRevokeOtherSessionsMutation,
  useRevokeSessionMutation,
} from './profile.generated';
import type { SignInMethod } from '~/graphql/schema.generated';
import { texts } from './texts';

const ways: Record<SignInMethod, string> = {
  PASSWORD: 'password',
  GOOGLE: 'Google',
  PASSKEY: 'passkey',
  CODE: 'code',
  RECOVERY_CODE: 'recovery code',
};

/** "password and code" */
const howSignedIn = ({ method, secondFactor }: SessionListFragment['sessions'][number]) =>
  secondFactor ? `${ways[method]} and ${ways[secondFactor]}` : ways[method];

function SessionRow({ session }: { session: SessionListFragment['sessions'][number] }) {
  const [revokeSession, { loading }] = useRevokeSessionMutation();
  const name = browserName(session.userAgent);

  function end() {
    revokeSession({ variables: { id: session.id } }).catch(() => toast.error(texts.endSessionFailed));
  }

  return (
    <li className={styles.session}>
      <div>
        <p>{name}</p>
        <p className="small soft">
          {session.isCurrent ? 'This browser' : `Last seen ${formatMomentIn(browserTimeZone(), session.lastSeenAt)}`},
          signed in with {howSignedIn(session)}
        </p>
      </div>
      {!session.isCurrent && (
        <Button small aria-label={`Sign out ${name}`} working={loading && 'Signing out ...'} onClick={end}>
          Sign out
        </Button>
      )}
    </li>
  );
}

/** Every browser that is signed in to the account, and the way to end each. */
export function SessionList({ sessions }: SessionListFragment) {
  const [endOthers, { loading }] = useRevokeOtherSessionsMutation();

  function end() {
    endOthers().then(
      () => toast.success(texts.otherSessionsEnded),
      () => toast.error(texts.endOtherSessionsFailed),
    );
  }

  return (
    <>
      <ul className={styles.sessions}>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {sessions.length > 1 && (
        <div>
          <Button small working={loading && 'Signing out ...'} onClick={end}>
            {texts.endOtherSessions}
          </Button>
        </div>
      )}
    </>
  );
}
