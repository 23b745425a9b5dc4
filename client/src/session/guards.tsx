import { type ReactNode, useEffect, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { useNeedsSession } from './needs-session';
import { session } from './storage';
import { useIsUnknown, useUser } from './use-session';

/**
 * Redirects to sign-in, unless ending the session has already navigated elsewhere; home when the session ended while
 * the page was loading and no page is named to come back to.
 */
function ToSignIn({ redirect }: { redirect: string | null }) {
  const navigate = useNavigate();
  const { pathname } = useLocation();

  useEffect(() => {
    if (window.location.pathname !== pathname) return;
    const ended = session.endedAtLoad();
    if (redirect) void navigate(`/signin?${new URLSearchParams({ redirect })}`, { replace: true });
    else void navigate(ended ? '/' : '/signin', { replace: true });
  }, [navigate, pathname, redirect]);

  return null;
}

interface SignedInOnlyProps {
  /** A sign-in leads back to the screen; it does as well where the link to the screen carries a `redirect`. */
  comesBack?: boolean;
  children: ReactNode;
}

/** A screen that needs a signed-in user. */
export function SignedInOnly({ comesBack, children }: SignedInOnlyProps) {
  const { pathname, search } = useLocation();
  const linked = new URLSearchParams(search).get('redirect');
  const redirect = comesBack ? pathname + search : linked?.startsWith('/') ? linked : null;
  useNeedsSession(redirect !== null);
  const user = useUser();
  const isUnknown = useIsUnknown();
  if (isUnknown) return null;
  return user ? children : <ToSignIn redirect={redirect} />;
}

/** A screen for visitors. One who is signed in already goes home; one who signs in here is led on by the screen. */
export function VisitorsOnly({ children }: { children: ReactNode }) {
  const user = useUser();
  // Not from the first render, which is the server's while a page is hydrated: that one is for visitors.
  const [wasSignedIn] = useState(() => session.user() !== null);
  return user && wasSignedIn ? <Navigate to="/" replace /> : children;
}
