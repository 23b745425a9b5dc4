import { skipToken, useApolloClient } from '@apollo/client/react';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { useMergedWishes } from '~/features/catalog/use-merged-wishes';
import { forgetPrivate } from '~/session/private-cache';
import { useProfileQuery } from '~/session/session.generated';
import { session } from '~/session/storage';
import { toUser, useUser } from '~/session/use-session';
import { toast } from '~/ui/toast';

const CHECK_EVERY_MS = 60_000;

function useExpiry() {
  const navigate = useNavigate();
  const client = useApolloClient();

  useEffect(
    () =>
      session.onExpired(() => {
        forgetPrivate(client);
        void navigate('/');
        if (!session.mayTellExpired()) return;
        toast.info('Session expired. Please sign in again.', {
          label: 'Sign In',
          run: () => void navigate('/signin'),
        });
      }),
    [client, navigate],
  );

  useEffect(() => {
    const check = () => {
      if (session.isOver()) session.expire();
    };
    check();
    const timer = setInterval(check, CHECK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
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
function useProfile(userId: string | undefined) {
  const { data, loading } = useProfileQuery(userId ? { fetchPolicy: 'cache-and-network' } : skipToken);

  useEffect(() => {
    const known = session.user();
    if (loading || !data || !known) return;
    if (!data.viewer) {
      session.expire();
      return;
    }
    const profile = toUser(data.viewer);
    if (profile.role === 'admin' && known.role !== 'admin') toast.info('You have been granted admin access!');
    if (profile.role !== known.role || profile.name !== known.name || profile.email !== known.email) {
      session.replace(profile);
    }
  }, [data, loading]);
}

/** Ends sessions that ran out, in this tab or another, and notices a new role. Shows nothing itself. */
export default function SessionWatch() {
  const user = useUser();
  useExpiry();
  useOtherTabs();
  useProfile(user?.id);
  useMergedWishes(user?.id);
  return null;
}
