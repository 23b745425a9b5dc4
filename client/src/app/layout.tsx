import { Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Outlet, useLocation } from 'react-router';
import { reauthentication } from '~/session/reauthentication';
import { useIsUnknown, useUser } from '~/session/use-session';
import { retryUntilLoaded, lazyPart } from '~/ui/lazy-part';
import { whenIdle } from '~/ui/scheduling';
import { Ring, Waiting } from '~/ui/ring';
import { texts } from '~/ui/texts';
import { Toaster } from '~/ui/toaster';
import { BareHeader } from './bare-header';
import { Footer } from './footer';
import { Header } from './header';
import styles from './layout.module.css';
import { outage } from './outage';
import { OutageNote } from './outage-note';
import { ScreenBoundary } from './screen-boundary';
import { useScrollRestoration } from './use-scroll-restoration';

const ReauthenticateDialog = lazyPart(
  () => retryUntilLoaded(() => import('~/features/account/reauthenticate-dialog')),
  {
    failed: Nothing,
  },
);
const SessionWatch = lazyPart(() => retryUntilLoaded(() => import('./session-watch')), { failed: Nothing });

function Nothing() {
  return null;
}

/** Shown while the code of a screen is on its way. */
function ScreenSkeleton({ pathname }: { pathname: string }) {
  return (
    <div className={styles.waiting}>
      {pathname === '/payment' ? <Waiting>{texts.preparingCheckout}</Waiting> : <Ring size={26} late />}
    </div>
  );
}

/** Where a purchase is under way. */
const BUYING = ['/checkout', '/payment'];

/** What was shown for a second opens without network from then on. */
function useKeptPages() {
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (!import.meta.env.PROD) return;
    const address = new URL(pathname + search, window.location.origin).href;
    const timer = setTimeout(() => {
      whenIdle()
        .then(() => import('~/service-worker/keep'))
        .then(({ keepPage }) => keepPage(address))
        .catch((error: unknown) => console.warn('This page was not kept for a time without network.', error));
    }, 1000);
    return () => clearTimeout(timer);
  }, [pathname, search]);
}

/** Event handlers are attached from here on; public/early.js replays earlier clicks. */
function useTakenOver() {
  useEffect(() => {
    window.dispatchEvent(new Event('taken-over'));
  }, []);
}

/** True from the first sign-in on: only after it is the end of a session reported. */
function useWatching() {
  const user = useUser();
  const isUnknown = useIsUnknown();
  const [watching, setWatching] = useState(user !== null);
  if ((user || isUnknown) && !watching) setWatching(true);
  return watching;
}

/** Calls back once what stands before it in its Suspense boundary is shown and, where the server drew it, hydrated. */
function Shown({ then }: { then: () => void }) {
  useEffect(then, [then]);
  return null;
}

/** Resolves when a screen is shown for the first time. A promise, because a state would render all around it anew. */
function useScreenShown() {
  const [shown] = useState(() => {
    let tell: (() => void) | undefined;
    const screenShown = new Promise<void>((resolve) => (tell = resolve));
    return { screenShown, tell: () => tell?.() };
  });
  return shown;
}

interface Props {
  /** HTML allows no `main` inside of `noscript`. */
  main?: 'main' | 'section';
}

export function Layout({ main: Main = 'main' }: Props) {
  const main = useRef<HTMLElement>(null);
  useScrollRestoration(main);
  useKeptPages();
  useTakenOver();
  const { pathname } = useLocation();
  const watching = useWatching();
  const { screenShown, tell } = useScreenShown();
  const isAsked = useSyncExternalStore(reauthentication.subscribe, reauthentication.isAsked, () => false);
  const isAway = useSyncExternalStore(outage.subscribe, outage.isAway, () => false);
  return (
    <>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      {watching && <SessionWatch screenShown={screenShown} />}
      {BUYING.includes(pathname) ? <BareHeader /> : <Header />}
      <div role="status">{isAway && <OutageNote />}</div>
      <Main ref={main} id="content" className={styles.main} tabIndex={-1} role={Main === 'main' ? undefined : 'main'}>
        <ScreenBoundary key={pathname}>
          <Suspense fallback={<ScreenSkeleton pathname={pathname} />}>
            <Outlet />
            <Shown then={tell} />
          </Suspense>
        </ScreenBoundary>
      </Main>
      <Suspense>
        <Footer />
      </Suspense>
      {isAsked && <ReauthenticateDialog />}
      <Toaster />
    </>
  );
}
