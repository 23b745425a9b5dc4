import type { ReactNode } from 'react';
import { Button } from '~/ui/button';
import { Failure } from '~/ui/empty';
import { ErrorBoundary } from '~/ui/error-boundary';
import { texts } from '~/ui/texts';

/** Rendered when a page has thrown, or its chunk could not be loaded. */
export function PageFailure() {
  return (
    <div className="page" style={{ paddingTop: 'var(--space-14)' }}>
      <Failure
        as="h1"
        title={texts.wrong}
        action={<Button onClick={() => window.location.reload()}>{texts.loadAgain}</Button>}
      >
        This page could not be shown. Nothing of yours is lost.
      </Failure>
    </div>
  );
}

/** Keeps what is around it standing when a page breaks: header and footer around a screen, a way on around all. */
export function ScreenBoundary({ children }: { children: ReactNode }) {
  return <ErrorBoundary fallback={PageFailure}>{children}</ErrorBoundary>;
}
