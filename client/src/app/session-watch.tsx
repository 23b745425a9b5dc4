import { skipToken, useApolloClient } from '@apollo/client/react';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useMergedWishes } from '~/features/catalog/use-merged-wishes';
import { forgetPrivate } from '~/session/private-cache';
import { forgetSeen } from '~/session/seen-here';
import { useProfileQuery } from '~/session/session.generated';
import { session } from '~/session/storage';
import { toUser, useIsUnknown, useUser } from '~/session/use-session';
import { toast } from '~/ui/toast';
import { texts as ui } from '~/ui/texts';
import { useSignOutMutation } from '~/features/account/account-actions.generated';
import { shop } from '~routes';
import { SignedOutNote } from './signed-out-note';
import { texts } from './session-texts';

const CHECK_EVERY_MS = 60_000;
const TELLING_MS = 5000;
/** Where links in mails lead that need no session. */
const MAILED = Object.entries(shop).flatMap(([path, kind]) => (kind === 'mailed' ? path : []));

/** Of tabs that notice an end in the same moment, before one could see what the other noted, one gets true. */
function isFirstToTell(): Promise<boolean> {
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return Promise.resolve(true);
  return new Promise((answer) => {
    void locks.request('minimal:session-expired', { ifAvailable: true }, async (lock) => {
      answer(lock !== null);
      if (lock) await new Promise((release) => setTimeout(release, TELLING_MS));
    });
  });
}

function useExpiry() {
  const navigate = useNavigate();
  const client = useApolloClient();
  const [signOut] = useSignOutMutation();
  const { pathname } = useLocation();
  const path = useRef(pathname);
  useEffect(() => {
    path.current = pathname;
  }, [pathname]);

  useEffect(
    () =>
      session.onExpired(async ({ tell, leadsHome }) => {
        forgetPrivate(client);
        forgetSeen();
        if (leadsHome && !MAILED.includes(path.current)) void navigate('/');
        if (!tell || !(await isFirstToTell())) return;
        toast.info(texts.sessionExpired, { label: ui.signIn, to: '/signin' });
      }),
    [client, navigate],
  );

  useEffect(() => {
    const check = (isNow: boolean) => {
      if (!session.isOver()) return;
      session.expire({ isNow });
      // Should the server's clock be behind, the cookie goes now as well.
      signOut().catch((error: unknown) => console.error('The server did not hear the sign-out.', error));
    };
    check(false);
    const timer = setInterval(() => check(true), CHECK_EVERY_MS);
    return () => clearInterval(timer);
  }, [signOut]);
}

function useOtherTabs() {
  const client = useApolloClient();
  useEffect(() => {
    const changed = ({ key }: StorageEvent) => {
      if (key === 'user' || key === null) forgetPrivate(client);
    };
    window.addEventListener('storage', changed);
    return () => window.removeEventListener('storage', changed);
  }, [client]);
}

/** Compares what the browser remembers with what the server says, and follows the server. */
function useProfile({ data, error, loading }: ReturnType<typeof useProfileQuery>) {
  useEffect(() => {
    if (!error) return;
    console.error('The profile did not load.', error);
    if (session.isUnknown()) session.recall(null);
  }, [error]);

  useEffect(() => {
    if (loading || !data) return;
    if (session.isUnknown()) session.recall(data.viewer && toUser(data.viewer));
    const known = session.user();
    if (!known) return;
    if (!data.viewer) {
      session.expire();
      return;
    }
    const profile = toUser(data.viewer);
    if (profile.role === 'admin' && known.role !== 'admin') toast.info(texts.grantedAdmin);
    if (profile.role !== known.role || profile.name !== known.name || profile.email !== known.email) {
      session.replace(profile);
    }
  }, [data, loading]);
}

interface WatchProps {
  userId: string | undefined;
  profile: ReturnType<typeof useProfileQuery>;
}

function Watch({ userId, profile }: WatchProps) {
  useExpiry();
  useOtherTabs();
  useProfile(profile);
  useMergedWishes(userId);
  return null;
}

/**
 * Ends sessions that ran out, in this tab or another, and notices a new role. Shows the way back in, and nothing else.
 *
 * It asks for the profile at once, and begins when a screen is shown: a screen is hydrated with the answers that the
 * server drew it with, which the end of a session drops.
 */
export default function SessionWatch({ screenShown }: { screenShown: Promise<void> }) {
  const userId = useUser()?.id;
  const isUnknown = useIsUnknown();
  const profile = useProfileQuery(userId || isUnknown ? { fetchPolicy: 'cache-and-network' } : skipToken);
  const [begins, setBegins] = useState(false);
  useEffect(() => {
    void screenShown.then(() => setBegins(true));
  }, [screenShown]);
  return (
    <>
      <SignedOutNote />
      {begins && <Watch userId={userId} profile={profile} />}
    </>
  );
}
