import { useApolloClient } from '@apollo/client/react';
import { useCallback, useSyncExternalStore } from 'react';
import { forgetPrivate } from './private-cache';
import type { SessionUserFragment } from './session.generated';
import { forgetSeen } from './seen-here';
import { session } from './storage';
import type { StoredUser } from './stored-user';

/** The signed-in user as the browser remembers it; null for a visitor. */
export function useUser(): StoredUser | null {
  return useSyncExternalStore(session.subscribe, session.user, session.drawnFor);
}

/** There is a session whose account is not stored here; SessionWatch fetches it. */
export function useIsUnknown(): boolean {
  return useSyncExternalStore(session.subscribe, session.isUnknown, () => false);
}

export const toUser = ({ id, name, email, role }: SessionUserFragment) => ({
  id,
  name,
  email,
  role: role === 'ADMIN' ? ('admin' as const) : ('user' as const),
});

/** The two transitions of a session that a form causes. */
export function useSession() {
  const client = useApolloClient();
  const signedIn = useCallback(
    (viewer: SessionUserFragment) => {
      session.signIn(toUser(viewer));
      forgetPrivate(client);
    },
    [client],
  );
  const signedOut = useCallback(() => {
    session.signOut();
    forgetSeen();
    forgetPrivate(client);
  }, [client]);
  return { signedIn, signedOut };
}
