import { type ReactNode, useState } from 'react';
import type { SessionUserFragment } from '~/session/session.generated';
import { lazyPart } from '~/ui/lazy-part';
import { Waiting } from '~/ui/ring';
import type { SecondFactorNeededFragment } from './auth.generated';

const SecondStep = lazyPart(() => import('./second-step'), { waiting: <Waiting>Opening the next step</Waiting> });

interface SignInStepsProps {
  onSignedIn: (viewer: SessionUserFragment) => Promise<void>;
  /** The first step, with the callback for an account that needs a second. */
  children: (onSecondFactor: (needed: SecondFactorNeededFragment) => void) => ReactNode;
}

/** Signing in, in one step or in two. */
export function SignInSteps({ onSignedIn, children }: SignInStepsProps) {
  const [needed, setNeeded] = useState<SecondFactorNeededFragment | null>(null);
  if (!needed) return children(setNeeded);
  return <SecondStep needed={needed} onSignedIn={onSignedIn} onStartAgain={() => setNeeded(null)} />;
}
