import { type ReactNode, useEffect, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { useNeedsSession } from './needs-session';
import { session } from './storage';
import { useIsUnknown, useUser } from './use-session';

/**
 * Redirects to sign-in, unless ending the session has already navigated elsewhere; home when the session ended while
 * the page was loading.
 */
function ToSignIn() {
  const navigate = useNavigate();
  const { pathname } = useLocation();

  useEffect(() => {
    if (window.location.pathname !== pathname) return;
    void navigate(session.endedAtLoad() ? '/' : '/signin', { replace: true });
  }, [navigate, pathname]);

  return null;
}

/** A screen that needs a signed-in user. */
export function SignedInOnly({ children }: { children: ReactNode }) {
  useNeedsSession();
  const user = useUser();
  const isUnknown = useIsUnknown();
  if (isUnknown) return null;
  return user ? children : <ToSignIn />;
}

/** A screen for visitors. One who is signed in already goes home; one who signs in here is led on by the screen. */
export function VisitorsOnly({ children }: { children: ReactNode }) {
  const user = useUser();
  const [wasSignedIn] = useState(user !== null);
  return wasSignedIn ? <Navigate to="/" replace /> : children;
}
