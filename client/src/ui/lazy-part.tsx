import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { ErrorBoundary, type Fallback } from './error-boundary';
import { texts } from './texts';

type Load<Props extends object> = () => Promise<{ default: ComponentType<Props> }>;

const RETRY_MS = 10_000;

interface LazyPartOptions {
  /** Shown while the chunk is on its way. */
  waiting?: ReactNode;
  /** Shown if the chunk cannot be loaded or breaks; by default the part says so and offers to try again. */
  failed?: Fallback;
}

/** A component in a chunk of its own, which is asked for again by a press when it could not be loaded or broke. */
export function retryable<Props extends object>(load: Load<Props>, failed: Fallback = PartFailure) {
  // React keeps the outcome of a lazy component, a failure included: trying again takes a new one.
  let Part = lazy(load);

  function Current(props: Props) {
    return <Part {...props} />;
  }

  return function Retryable(props: Props) {
    return (
      <ErrorBoundary
        fallback={failed}
        onRetry={() => {
          Part = lazy(load);
        }}
      >
        <Current {...props} />
      </ErrorBoundary>
    );
  };
}

/** The same with its own Suspense boundary. */
export function lazyPart<Props extends object>(load: Load<Props>, { waiting, failed }: LazyPartOptions = {}) {
  const Part = retryable(load, failed);

  return function LazyPart(props: Props) {
    return (
      <Suspense fallback={waiting}>
        <Part {...props} />
      </Suspense>
    );
  };
}

/** Asks for a chunk every ten seconds until it comes: for parts without which the page is not whole. */
export async function retryUntilLoaded<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch {
    await new Promise((resume) => setTimeout(resume, RETRY_MS));
    return retryUntilLoaded(load);
  }
}

function PartFailure({ retry }: { retry: () => void }) {
  return (
    <p role="alert">
      {texts.partFailed}{' '}
      <button type="button" className="link" onClick={retry}>
        {texts.tryAgain}
      </button>
    </p>
  );
}
