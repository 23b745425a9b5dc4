import { Component, type ReactNode } from 'react';
import { Button } from '~/ui/button';
import { Failure } from '~/ui/empty';
import { texts } from '~/ui/texts';

/** Keeps header and footer standing when a screen breaks or its chunk cannot be loaded. */
export class ScreenBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="page" style={{ paddingTop: 'var(--space-14)' }}>
        <Failure
          as="h1"
          title={texts.wrong}
          action={<Button onClick={() => window.location.reload()}>Load the page again</Button>}
        >
          This page could not be shown. Nothing of yours is lost.
        </Failure>
      </div>
    );
  }
}
