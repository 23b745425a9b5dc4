import { type ContextType, useContext, useEffect, useState } from 'react';
import { UNSAFE_NavigationContext as NavigationContext } from 'react-router';
import { hearBackFirst } from '~/ui/back-guard';
import { useUnloadGuard } from '~/ui/use-unload-guard';

type Go = () => void;
type Navigator = ContextType<typeof NavigationContext>['navigator'];

const placeOf = (state: unknown) => (state as { idx?: number } | null)?.idx ?? 0;

const isElsewhere = (to: Parameters<Navigator['push']>[0], path: string) =>
  new URL(typeof to === 'string' ? to : (to.pathname ?? path), location.href).pathname !== path;

/** Links and presses within the shop wait; answers the way to let them go again. */
function holdLinks(navigator: Navigator, onHeld: (go: Go) => void): Go {
  const { push, replace } = navigator;
  const path = location.pathname;
  const held =
    (original: typeof push): typeof push =>
    (...target) => {
      if (isElsewhere(target[0], path)) onHeld(() => original(...target));
      else original(...target);
    };
  navigator.push = held(push);
  navigator.replace = held(replace);
  return () => {
    navigator.push = push;
    navigator.replace = replace;
  };
}

/** Back cannot be forbidden: it is undone before anybody hears of it, and done again once it is wanted. */
function holdBack(onHeld: (go: Go) => void): Go {
  const here = placeOf(history.state);
  let released = false;
  const back = (event: PopStateEvent) => {
    const steps = placeOf(event.state) - here;
    if (released || steps === 0) return;
    event.stopImmediatePropagation();
    history.go(-steps);
    onHeld(() => {
      released = true;
      history.go(steps);
    });
  };
  return hearBackFirst(back);
}

/**
 * While `active`, holds every way out of this page: the browser asks before the window closes; a link, a press or Back
 * waits in `leaving`, which goes on by `leave` and is forgotten by `stay`.
 */
export function useLeaveGuard(active: boolean) {
  const { navigator } = useContext(NavigationContext);
  const [leaving, setLeaving] = useState<{ go: Go } | null>(null);

  useUnloadGuard(active);
  useEffect(() => {
    if (!active) return;
    const hold = (go: Go) => setLeaving({ go });
    const releases = [holdLinks(navigator, hold), holdBack(hold)];
    return () => releases.forEach((release) => release());
  }, [active, navigator]);

  return { leaving: leaving !== null, leave: () => leaving?.go(), stay: () => setLeaving(null) };
}
